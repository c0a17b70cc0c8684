package io.github.flowablepubsub.bench;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.HeldMapper;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.LaneMapper;
import io.github.flowablepubsub.inbox.Reason;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.reflection.ParamNameResolver;
import org.apache.ibatis.scripting.defaults.DefaultParameterHandler;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The queries of the product's mappers as the engine's MyBatis sends them, so that no other statements can be measured than
 * those that run.
 */
final class ClaimStatements {

    /** The others take no part in claiming: wake-ups after a subscription, and what runs once a minute or once a start. */
    private static final Set<String> CLAIM = Set.of("due", "dueOrderKeys", "nextOrderKey", "lock", "oldestOpen");

    /**
     * A query with its values.
     *
     * @param sql with {@code $1} for parameters
     * @param values as SQL literals
     * @param claim whether the next message is found or locked by it
     */
    record Query(String name, String sql, List<String> values, boolean claim) {

        /** The statement with its values in it. */
        String withValues() {
            String text = sql;
            for (int number = values.size(); number > 0; number--) {
                text = text.replace("$" + number, values.get(number - 1));
            }
            return text;
        }
    }

    /** A sweep that has seen nothing yet. */
    private static final DueMapper.DueFrom FROM =
            new DueMapper.DueFrom(Messages.CHANNEL, OffsetDateTime.parse("2000-01-01T00:00:00Z"));

    /** End of a page of ids. */
    private static final long END = 200;

    private final Configuration configuration;
    private final String orderKey;
    private final int page;

    ClaimStatements(Configuration configuration, String orderKey, int page) {
        this.configuration = configuration;
        this.orderKey = orderKey;
        this.page = page;
    }

    List<Query> queries() throws SQLException {
        List<Query> queries = new ArrayList<>();
        for (Class<?> mapper : List.of(DueMapper.class, LaneMapper.class, HeldMapper.class)) {
            List<Method> methods = new ArrayList<>(Arrays.asList(mapper.getMethods()));
            methods.sort(Comparator.comparing(Method::getName));
            for (Method method : methods) {
                String id = mapper.getName() + "." + method.getName();
                if (configuration.hasStatement(id)
                        && configuration.getMappedStatement(id).getSqlCommandType() == SqlCommandType.SELECT) {
                    queries.add(query(method, configuration.getMappedStatement(id)));
                }
            }
        }
        queries.sort(Comparator.comparing(query -> !query.claim()));
        return queries;
    }

    private Query query(Method method, MappedStatement statement) throws SQLException {
        Object[] args =
                Arrays.stream(method.getParameters()).map(this::argument).toArray();
        Object parameter = new ParamNameResolver(configuration, method).getNamedParams(args);
        BoundSql sql = statement.getBoundSql(parameter);
        Map<Integer, String> values = new TreeMap<>();
        PreparedStatement recorder = (PreparedStatement) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {PreparedStatement.class}, (self, call, in) -> {
                    if (call.getName().startsWith("set") && in != null && in.length >= 2) {
                        values.put((Integer) in[0], literal(call.getName().equals("setNull") ? null : in[1]));
                    }
                    return null;
                });
        new DefaultParameterHandler(statement, parameter, sql).setParameters(recorder);
        StringBuilder text = new StringBuilder();
        int number = 0;
        for (char c : sql.getSql().toCharArray()) {
            text.append(c == '?' ? "$" + ++number : String.valueOf(c));
        }
        return new Query(
                method.getName(), text.toString(), List.copyOf(values.values()), CLAIM.contains(method.getName()));
    }

    private Object argument(Parameter parameter) {
        Class<?> type = parameter.getType();
        if (type == ChannelId.class) {
            return Messages.CHANNEL;
        } else if (type == DueMapper.DueFrom.class) {
            return FROM;
        } else if (type == Reason.class) {
            return Reason.HELD_BACK;
        } else if (type == Lane.class) {
            return Lane.of(Messages.CHANNEL, orderKey);
        } else if (type == InboxRow.class) {
            return head();
        } else if (type == int.class || type == Integer.class) {
            return page;
        } else if (type == long.class || type == Long.class) {
            return name(parameter).equals("end") ? END : 0L;
        } else if (type == boolean.class) {
            return true;
        } else if (type == String.class) {
            return text(parameter);
        } else if (type == OffsetDateTime.class) {
            return OffsetDateTime.parse("2026-01-01T00:00:00Z");
        } else if (type.isAssignableFrom(List.class) || type == List.class) {
            return List.of(element(parameter));
        }
        throw unknown(parameter);
    }

    /** Where a statement about what stands behind a row begins. */
    private InboxRow head() {
        return new InboxRow(
                0L,
                Messages.CHANNEL.key(),
                Messages.CHANNEL.tenantId(),
                orderKey,
                "",
                Models.EVENT_KEY,
                null,
                null,
                0,
                FROM.from(),
                null,
                null,
                null,
                null,
                null,
                "{}",
                null,
                false,
                null,
                null,
                null,
                false,
                false,
                false,
                FROM.from());
    }

    private Object element(Parameter parameter) {
        Type type = ((ParameterizedType) parameter.getParameterizedType()).getActualTypeArguments()[0];
        if (type == ChannelId.class) {
            return Messages.CHANNEL;
        } else if (type == DueMapper.DueFrom.class) {
            return FROM;
        } else if (type == String.class) {
            return orderKey;
        } else if (type == Long.class) {
            return 1L;
        }
        throw unknown(parameter);
    }

    private static String name(Parameter parameter) {
        return Objects.requireNonNull(
                        parameter.getAnnotation(org.apache.ibatis.annotations.Param.class), parameter.toString())
                .value();
    }

    private static String text(Parameter parameter) {
        return switch (name(parameter)) {
            case "after" -> "";
            case "eventKey" -> Models.EVENT_KEY;
            case "configuration" -> "c1";
            default -> throw unknown(parameter);
        };
    }

    private static IllegalStateException unknown(Parameter parameter) {
        return new IllegalStateException("The benchmark has no value for parameter " + parameter + " of "
                + parameter.getDeclaringExecutable() + ": teach it one");
    }

    private static String literal(@Nullable Object value) {
        if (value == null || value instanceof Number) {
            return String.valueOf(value);
        }
        return "'" + value.toString().replace("'", "''") + "'";
    }
}
