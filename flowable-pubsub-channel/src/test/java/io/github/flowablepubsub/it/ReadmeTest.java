package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Reason;
import io.github.flowablepubsub.operations.InboxBulk;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.server.PubSubServer;
import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the README shows works: its files are deployed, its statements run. */
class ReadmeTest {

    private final String readme = readme();

    private static String readme() {
        try {
            return Files.readString(Path.of("../README.md"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private String snippet(String marker) {
        Matcher matcher = Pattern.compile(
                        "<!-- " + Pattern.quote(marker) + " -->\n```\\w+\n(.*?)\n```\n", Pattern.DOTALL)
                .matcher(readme);
        assertThat(matcher.find()).as("README has %s", marker).isTrue();
        return matcher.group(1);
    }

    @Test
    void theFilesAndTheRepairStatementWork() {
        Database database = TestDatabase.H2.create();
        InboxTable inbox = new InboxTable(database);
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("auftrag-abgeschlossen-sub", "rueckmeldungen");
            try (Node node = Node.start(database, Node.settings(server.endpoint()))) {
                node.deployEvents(Map.of(
                        "auftrag.channel", snippet("file: auftrag.channel"),
                        "auftrag.event", snippet("file: auftrag.event")));
                node.deployProcess(snippet("file: auftrag.bpmn20.xml"));
                node.engine
                        .getRuntimeService()
                        .startProcessInstanceByKey("auftrag-ausfuehrung", Map.of("auftragId", "1"));
                String first = server.publish(
                        "rueckmeldungen",
                        ByteString.copyFromUtf8("{\"auftragId\": \"1\", \"erledigtePositionen\": 7}"),
                        Map.of(),
                        "");
                inbox.messageInState(first, "DONE");

                String broken = server.publish("rueckmeldungen", ByteString.copyFromUtf8("kaputt"), Map.of(), "");
                InboxTable.Row parked = inbox.messageInState(broken, "PARKED");
                String mended =
                        "UPDATE FLW_PUBSUB_INBOX SET PAYLOAD_ = '{\"auftragId\": \"2\"}' WHERE ID_ = " + parked.id();
                assertThat(inbox.sql(mended)).isEqualTo(1);
                assertThat(inbox.sql(snippet("sql: repair").replace("4711", String.valueOf(parked.id()))))
                        .isEqualTo(1);
                assertThat(inbox.messageInState(broken, "WAITING").reason()).isEqualTo("NO_MATCH");

                snippet("sql: alarms").lines().forEach(query -> assertThat(
                                inbox.rows("exists (" + query.replace(";", "") + ")"))
                        .hasSize(2));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"policy", "afterCorrelation", "message"})
    void thePoliciesDeploy(String file) {
        try (PubSubServer server = PubSubServer.start()) {
            server.createTopic("rueckmeldungen");
            server.createSubscription("auftrag-abgeschlossen-sub", "rueckmeldungen");
            try (Node node = Node.start(TestDatabase.H2.create(), Node.settings(server.endpoint()))) {
                node.deployEvents(Map.of("policy.channel", snippet("file: " + file + ".channel")));
                org.awaitility.Awaitility.await()
                        .until(() -> node.pubsub.consumers().size() == 1);
            }
        }
    }

    private static String squeezed(String code) {
        return code.replaceAll("\\s+", " ").replaceAll(" ?([.=]) ?", "$1");
    }

    /** Its lines stand in this test as they are. */
    @Test
    void theOperatorsSnippetWorks() throws IOException {
        String source = Files.readString(Path.of("src/test/java/io/github/flowablepubsub/it/ReadmeTest.java"));
        assertThat(squeezed(source)).contains(squeezed(snippet("java: operators")));
        try (Lab lab = Lab.start(TestDatabase.H2)) {
            lab.channel("auftragRueckmeldungen", "{\"buffer\": {\"timeToLive\": \"PT0S\"}}");
            String id = lab.publish("auftragRueckmeldungen", Models.completion("1", 1));
            lab.inbox.messageInState(id, "PARKED");
            List<String> words = new ArrayList<>();
            List<RepairResult> results = new ArrayList<>();
            PubSubInboxService inbox = lab.node.pubsub.inbox();
            InboxFilter stuck =
                    InboxFilter.PARKED.withChannel("auftragRueckmeldungen").withReason(Reason.NO_MATCH);
            for (InboxMessage message : inbox.find(stuck, 0, 100).messages()) {
                words.addAll(inbox.explain(message.id()));
                results.add(inbox.discard(message.seen(), "erika", "ordered twice"));
            }
            InboxBulk all = inbox.retryAll(stuck, "erika");
            assertThat(words.toString()).contains("Nobody waited for this message in time");
            assertThat(results).hasOnlyElementsOfType(RepairResult.Done.class).hasSize(1);
            assertThat(all.done()).isZero();
            assertThat(lab.inbox.messageInState(id, "DISCARDED").error()).startsWith("Discarded: ordered twice");
        }
    }

    @Test
    void theTransitionTableIsTheCodes() {
        String table = Arrays.stream(MessageState.values())
                .map(state -> state + ":"
                        + state.successors().stream().map(s -> "`" + s + "`").collect(Collectors.joining(", ")))
                .collect(Collectors.joining("\n"));
        String documented = Pattern.compile("^\\| `([A-Z]+)` \\|[^|\n]*\\|([^|\n]*)\\|$", Pattern.MULTILINE)
                .matcher(readme)
                .results()
                .filter(m -> Arrays.stream(MessageState.values())
                        .anyMatch(s -> s.name().equals(m.group(1))))
                .map(m -> m.group(1) + ":" + m.group(2).strip())
                .collect(Collectors.joining("\n"));
        assertThat(documented).isEqualTo(table);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tests", "sample", "sample with REST", "admin-ui"})
    void theCommandsAreThere(String command) {
        assertThat(snippet("command: " + command)).doesNotContain("\n");
    }
}
