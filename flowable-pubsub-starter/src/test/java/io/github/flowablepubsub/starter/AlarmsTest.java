package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flowable.engine.RepositoryService;
import org.flowable.engine.RuntimeService;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The alarms and the dashboard that ship ask for metrics that there are. */
class AlarmsTest {

    private static final Path RULES = Path.of("..", "docs", "alarms", "flowable-pubsub.rules.yml");
    private static final Path DASHBOARD = Path.of("..", "docs", "alarms", "flowable-pubsub.dashboard.json");
    private static final Pattern NAME = Pattern.compile("flowable_pubsub_[a-z_]+");

    private static final String FAILING =
            """
            <definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
                xmlns:flowable="http://flowable.org/bpmn" targetNamespace="test">
              <process id="scheitert"><startEvent id="s"/><endEvent id="e"/>
                <intermediateCatchEvent id="w"><extensionElements>
                  <flowable:eventType>auftragAbgeschlossen</flowable:eventType>
                  <flowable:eventCorrelationParameter name="auftragId" value="${auftragId}"/>
                </extensionElements></intermediateCatchEvent>
                <serviceTask id="t" flowable:expression="${gibtEsNicht}"/>
                <sequenceFlow sourceRef="s" targetRef="w"/><sequenceFlow sourceRef="w" targetRef="t"/>
                <sequenceFlow sourceRef="t" targetRef="e"/></process>
            </definitions>
            """;

    @Configuration(proxyBeanMethods = false)
    static class Prometheus {
        @Bean
        MeterRegistry meterRegistry() {
            return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        }
    }

    private static Set<String> namesIn(Path file) throws IOException {
        return NAME.matcher(Files.readString(file))
                .results()
                .map(match -> match.group())
                .filter(name -> !name.equals("flowable_pubsub_"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> namesIn(String scrape) {
        return scrape.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toSet());
    }

    /** One message is delivered, one parked, one fails: then every metric is there. */
    @Test
    void everyMetricOfRulesAndDashboardIsInAScrape() throws IOException {
        Set<String> asked = new TreeSet<>(namesIn(RULES));
        asked.addAll(namesIn(DASHBOARD));
        assertThat(asked).hasSizeGreaterThan(15);
        try (TestApp testApp = new TestApp();
                ConfigurableApplicationContext app =
                        testApp.run(Prometheus.class, "--flowable.pubsub.policy.buffer.time-to-live=0s")) {
            PrometheusMeterRegistry registry = app.getBean(PrometheusMeterRegistry.class);
            app.getBean(RepositoryService.class)
                    .createDeployment()
                    .addString("p.bpmn20.xml", FAILING)
                    .deploy();
            RuntimeService processes = app.getBean(RuntimeService.class);
            processes.startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "1"));
            processes.startProcessInstanceByKey("scheitert", Map.of("auftragId", "2"));
            for (String auftragId : new String[] {"1", "2", "niemand"}) {
                testApp.server.publish("rueckmeldungen", "{\"auftragId\": \"" + auftragId + "\"}", Map.of());
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(namesIn(registry.scrape())).containsAll(asked));
        }
    }

    /** A sum over the nodes would count the table as often as there are nodes. */
    @Test
    void gaugesOfTheTableAreNeverAddedOverTheNodes() throws IOException {
        String both = Files.readString(RULES) + Files.readString(DASHBOARD).replace("\\\"", "\"");
        assertThat(Pattern.compile("(\\w+) (by|without)? ?\\([a-z, ]*\\) \\(flowable_pubsub_inbox_")
                        .matcher(both)
                        .results()
                        .map(match -> match.group(1)))
                .isNotEmpty()
                .containsOnly("max");
        assertThat(both).doesNotContainPattern("(sum|avg|count)\\(flowable_pubsub_inbox_");
    }

    @Test
    void promtoolTakesTheRules() throws Exception {
        assumeThat(Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool"))))
                .as("promtool is installed")
                .isTrue();
        Process promtool = new ProcessBuilder("promtool", "check", "rules", RULES.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(promtool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(promtool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(promtool.exitValue()).as(output).isZero();
    }
}
