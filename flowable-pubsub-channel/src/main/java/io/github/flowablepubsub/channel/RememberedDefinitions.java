package io.github.flowablepubsub.channel;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.flowable.common.engine.api.query.Query;
import org.flowable.eventregistry.api.EventDefinition;
import org.flowable.eventregistry.api.EventDeployment;
import org.flowable.eventregistry.api.EventRepositoryService;
import org.flowable.eventregistry.api.InboundEventProcessingPipeline;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.impl.pipeline.DefaultInboundEventProcessingPipeline;
import org.flowable.eventregistry.model.EventModel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event registry's definitions, with answers that hold for a second. Flowable's pipeline asks the database for event
 * definition and deployment with every message: most of what storing a message costs.
 *
 * <p>An answer can be older than a deployment on another node. So whoever stores begins a batch with {@link #refresh()},
 * and whoever finds no receiver asks {@link #changes()}, refreshes and reads again. Found nothing is never remembered.
 * Thread safe.
 */
public final class RememberedDefinitions {

    private static final Logger log = LoggerFactory.getLogger(RememberedDefinitions.class);

    private static final long HOLDS = TimeUnit.SECONDS.toNanos(1);

    /** Events times tenants; beyond it everything is asked anew. */
    private static final int MAX_ANSWERS = 10_000;

    private record Answer(Object value, long asked, long refreshes) {}

    private interface Question {
        @Nullable
        Object ask() throws ReflectiveOperationException;
    }

    private final EventRepositoryService repository;
    private final EventRepositoryService remembering;
    private final Map<List<Object>, Answer> answers = new ConcurrentHashMap<>();
    private final AtomicLong refreshes = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();

    /** Of this repository. */
    public RememberedDefinitions(EventRepositoryService repository) {
        this.repository = repository;
        this.remembering = proxy(
                EventRepositoryService.class, (proxy, method, arguments) -> ofService(method, nonNull(arguments)));
    }

    /** The repository; of its answers those about event definitions, their models and deployments are remembered. */
    public EventRepositoryService repository() {
        return remembering;
    }

    /** Definition of an event as the pipeline found it: its tenant's own, else that of the default tenant. */
    public @Nullable EventModel modelOf(EventInstance event) {
        List<EventDefinition> latest = remembering
                .createEventDefinitionQuery()
                .eventDefinitionKey(event.getEventKey())
                .latestVersion()
                .list();
        return latest.stream()
                .filter(definition -> Objects.equals(definition.getTenantId(), event.getTenantId()))
                .findFirst()
                .or(() -> latest.stream().findFirst())
                .map(definition -> remembering.getEventModelById(definition.getId()))
                .orElse(null);
    }

    /** From now on everything is asked anew, once. */
    public void refresh() {
        refreshes.incrementAndGet();
    }

    /** Goes up whenever an answer was not what it had been before. */
    public long changes() {
        return changes.get();
    }

    /** Lets a stock pipeline ask here; one of the app's own stays as it is. */
    void install(InboundEventProcessingPipeline pipeline) {
        if (!(pipeline instanceof DefaultInboundEventProcessingPipeline)) {
            return;
        }
        try {
            Field field = DefaultInboundEventProcessingPipeline.class.getDeclaredField("eventRepositoryService");
            field.setAccessible(true);
            field.set(pipeline, remembering);
        } catch (ReflectiveOperationException | RuntimeException e) {
            log.info("Each message asks the database for its event definition: {}", e.toString());
        }
    }

    private @Nullable Object ofService(Method method, Object[] arguments) throws Throwable {
        String name = method.getName();
        if (name.equals("createEventDefinitionQuery") || name.equals("createDeploymentQuery")) {
            return query(method.getReturnType(), call(repository, method, arguments), List.of(name));
        }
        if (name.equals("getEventModelById")) {
            return remembered(key(List.of(), method, arguments), () -> method.invoke(repository, arguments));
        }
        return call(repository, method, arguments);
    }

    private Object query(Class<?> type, @Nullable Object query, List<Object> asked) {
        return proxy(type, (proxy, method, given) -> {
            Object[] arguments = nonNull(given);
            List<Object> key = key(asked, method, arguments);
            if (Query.class.isAssignableFrom(method.getReturnType())) {
                return query(type, call(query, method, arguments), key);
            }
            return remembered(key, () -> method.invoke(query, arguments));
        });
    }

    private @Nullable Object remembered(List<Object> key, Question question) throws Throwable {
        long now = System.nanoTime();
        long refreshed = refreshes.get();
        Answer before = answers.get(key);
        if (before != null && before.refreshes() == refreshed && now - before.asked() < HOLDS) {
            return before.value();
        }
        Object value = null;
        try {
            value = unwrapped(question);
        } finally {
            if (before != null && !Objects.equals(identity(before.value()), identity(value))) {
                changes.incrementAndGet();
            }
            if (value == null) {
                answers.remove(key);
            }
        }
        if (value != null) {
            if (answers.size() >= MAX_ANSWERS) {
                answers.clear();
                changes.incrementAndGet();
            }
            answers.put(key, new Answer(value, now, refreshed));
        }
        return value;
    }

    private static @Nullable Object identity(@Nullable Object value) {
        if (value instanceof EventModel model) {
            return model
                    .getKey(); // asked for by the definition's id: the engine may parse it anew, but it stays the same
        }
        if (value instanceof EventDefinition definition) {
            return definition.getId();
        }
        if (value instanceof EventDeployment deployment) {
            return deployment.getId();
        }
        return value instanceof List<?> list
                ? list.stream().map(RememberedDefinitions::identity).toList()
                : value;
    }

    private static List<Object> key(List<Object> asked, Method method, Object[] arguments) {
        List<Object> key = new ArrayList<>(asked);
        key.add(method.getName());
        key.add(Arrays.asList(arguments));
        return key;
    }

    private static @Nullable Object call(@Nullable Object target, Method method, Object[] arguments) throws Throwable {
        return unwrapped(() -> method.invoke(target, arguments));
    }

    private static @Nullable Object unwrapped(Question question) throws Throwable {
        try {
            return question.ask();
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNullElse(e.getCause(), e);
        }
    }

    private static Object[] nonNull(Object @Nullable [] arguments) {
        return arguments == null ? new Object[0] : arguments;
    }

    private static <T> T proxy(Class<T> type, java.lang.reflect.InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
