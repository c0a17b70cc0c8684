package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import brave.Span;
import brave.Tracing;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.TraceContext;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BravePropagator;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.brave.bridge.W3CPropagation;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.flowable.engine.RepositoryService;
import org.flowable.engine.RuntimeService;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The publisher's trace goes on in the process that its message moves, through the inbox. */
class TracingTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    private static final List<MutableSpan> spans = new CopyOnWriteArrayList<>();
    private static final List<String> current = new CopyOnWriteArrayList<>();

    @Configuration(proxyBeanMethods = false)
    static class Traced {

        private final Tracing brave = Tracing.newBuilder()
                .propagationFactory(new W3CPropagation())
                .traceId128Bit(true)
                .addSpanHandler(new SpanHandler() {
                    @Override
                    public boolean end(TraceContext context, MutableSpan span, Cause cause) {
                        return spans.add(span);
                    }
                })
                .build();

        private final Tracer tracer = new BraveTracer(
                brave.tracer(), new BraveCurrentTraceContext(brave.currentTraceContext()), new BraveBaggageManager());

        @Bean
        ObservationRegistry observationRegistry() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig()
                    .observationHandler(new FirstMatchingCompositeObservationHandler(
                            new PropagatingReceiverTracingObservationHandler<>(tracer, new BravePropagator(brave)),
                            new DefaultTracingObservationHandler(tracer)));
            return registry;
        }

        /** A step of the process. */
        @Bean
        Step schritt() {
            return () -> current.add(
                    Objects.requireNonNull(tracer.currentSpan()).context().traceId());
        }
    }

    /** Called from an expression. */
    @FunctionalInterface
    public interface Step {
        boolean gehen();
    }

    private static final String PROCESS =
            """
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
              <process id="spur"><startEvent id="s"/><endEvent id="e"/>
                <intermediateCatchEvent id="w"><extensionElements>
                  <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                  <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                </extensionElements></intermediateCatchEvent>
                <serviceTask id="t" flowable:expression="${schritt.gehen()}"/>
                <sequenceFlow sourceRef="s" targetRef="w"/><sequenceFlow sourceRef="w" targetRef="t"/>
                <sequenceFlow sourceRef="t" targetRef="e"/></process>
            </definitions>
            """;

    @Test
    void thePublishersTraceGoesOnInTheProcess() {
        try (TestApp testApp = new TestApp();
                ConfigurableApplicationContext app = testApp.run(Traced.class)) {
            app.getBean(RepositoryService.class)
                    .createDeployment()
                    .addString("p.bpmn20.xml", PROCESS)
                    .deploy();
            RuntimeService processes = app.getBean(RuntimeService.class);
            int told = 0;
            for (String attribute : List.of("traceparent", "googclient_traceparent")) {
                spans.clear();
                processes.startProcessInstanceByKey("spur", Map.of("auftragId", attribute));
                testApp.server.publish(
                        "rueckmeldungen",
                        "{\"auftragId\": \"" + attribute + "\"}",
                        Map.of(attribute, "00-" + TRACE + "-" + PARENT + "-01"));
                await().atMost(Duration.ofSeconds(60)).until(() -> !spans.isEmpty());
                assertThat(spans.get(0)).satisfies(span -> {
                    assertThat(span.traceId()).isEqualTo(TRACE);
                    assertThat(span.parentId()).isEqualTo(PARENT);
                    assertThat(span.kind()).isEqualTo(Span.Kind.CONSUMER);
                    assertThat(span.name()).isEqualTo("auftragRueckmeldungen process");
                    assertThat(span.error()).isNull();
                });
                told++;
                assertThat(current)
                        .as("the process's step runs in it")
                        .hasSize(told)
                        .containsOnly(TRACE);
            }
        }
    }

    @Test
    void withoutARegistryNothingIsTraced() {
        try (TestApp testApp = new TestApp();
                ConfigurableApplicationContext app = testApp.run()) {
            assertThat(app.getBeanNamesForType(io.github.flowablepubsub.events.Tracing.class))
                    .isEmpty();
        }
    }
}
