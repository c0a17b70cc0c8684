package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.MessageMapper;
import io.github.flowablepubsub.inbox.VariableValue;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What looking up a plain message costs with few and with many instances that wait for it, in PostgreSQL's buffers. */
@Tag("once") // on one Flowable line, see .ci/run
class MessageCostTest {

    private static final String INDEX = "CREATE INDEX PUBSUB_VARIABLE_TEXT ON ACT_RU_VARIABLE USING HASH (TEXT_)";
    private static final int FEW = 20;
    private static final int MANY = 500;

    /** Deeper indexes cost a few buffers. */
    private static final int GROWTH = 20;

    @Test
    void theDocumentedIndexMakesItTheSameForAnyNumber_andAWakeUpNeedsNone() throws IOException {
        assertThat(Files.readString(Path.of("../README.md"))).contains(INDEX);
        try (InboxBench bench = new InboxBench(TestDatabase.POSTGRES)) {
            bench.node.deployProcess(
                    MessageLab.definitions("p", MessageLab.chainOf(MessageLab.receive("w"), Models.userTask("t"))));
            StatementCost cost = new StatementCost(bench);
            String instance = start(bench, 0, FEW);
            long few = lookUp(cost);
            long wakeUp = wakeUp(cost, instance);
            start(bench, FEW, MANY);
            bench.inbox.sql("analyze");
            long many = lookUp(cost);
            long wakeUpAmongMany = wakeUp(cost, instance);
            bench.inbox.sql(INDEX);
            bench.inbox.sql("analyze");
            long indexed = lookUp(cost);
            System.out.printf(
                    "Look-up of a plain message: %d buffers with %d instances, %d with %d, %d with the index; wake-up %d, %d%n",
                    few, FEW, many, MANY, indexed, wakeUp, wakeUpAmongMany);
            assertThat(many).as("reads what there is").isGreaterThan(few).isLessThan(20L * MANY);
            assertThat(indexed).isLessThan(few + GROWTH);
            assertThat(wakeUpAmongMany).isLessThan(wakeUp + GROWTH);
        }
    }

    private static String start(InboxBench bench, int from, int to) {
        String last = "";
        for (int i = from; i < to; i++) {
            last = bench.node
                    .engine
                    .getRuntimeService()
                    .startProcessInstanceByKey("p", Map.of("auftragId", "k" + i, "anderes", "x" + i))
                    .getId();
        }
        return last;
    }

    private static long lookUp(StatementCost cost) {
        Map<String, @Nullable Object> parameters = new HashMap<>(
                Map.of("messageName", MessageLab.MESSAGE, "processDefinitionKey", "p", "variable", "auftragId"));
        parameters.put("value", VariableValue.of("k7"));
        parameters.put("tenantId", null);
        return cost.of(MessageMapper.class, "receivers", parameters);
    }

    private static long wakeUp(StatementCost cost, String instance) {
        return cost.of(MessageMapper.class, "variables", Map.of("instances", List.of(instance)));
    }
}
