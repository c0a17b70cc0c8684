package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.reflect.TypeToken;
import com.google.protobuf.ByteString;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rule R8: unusual input is kept byte for byte, and ten good messages behind it go through. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class UnusualInputContract {

    private final TestDatabase kind;
    private @Nullable Lab started;
    private int run;

    UnusualInputContract(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeAll
    void start() {
        started = Lab.start(kind)
                .channel(UnusualInput.FIXED, "{}")
                .channel(UnusualInput.FIELD, "{}", "{\"jsonField\": \"typ\"}");
        lab().node.deployProcess(Models.PROCESS);
        // What only similar keys must not reach.
        for (String similar : List.of("4711", "FALL-A", "einsam\uFFFD", "nul\uFFFDnul", "eins")) {
            lab().startOrder("auftrag-ausfuehrung", similar);
        }
    }

    private Lab lab() {
        return Objects.requireNonNull(started);
    }

    @AfterAll
    void stop() {
        assertThat(lab().tasksOf("auftrag-ausfuehrung"))
                .as("only the good messages moved an instance")
                .isEqualTo(run * 10L);
        lab().close();
    }

    @ParameterizedTest
    @MethodSource("io.github.flowablepubsub.it.UnusualInput#all")
    void connectors2750AndSpringCloudGcp887And1579_anUnusualMessageIsKeptAndTenGoodOnesGoThrough(UnusualInput input) {
        InboxTable.Row row = publishAmongGoodOnes(input);
        assertThat(row.state()).as(row.toString()).isEqualTo(input.state());
        assertThat(row.reason()).as(row.toString()).isEqualTo(input.reason());
    }

    @ParameterizedTest
    @MethodSource("io.github.flowablepubsub.it.UnusualInput#allowedEitherWay")
    void connectors2750_inputThatMayOrMayNotBeReadIsKeptToo(UnusualInput input) {
        InboxTable.Row row = publishAmongGoodOnes(input);
        assertThat(row.reason()).as(row.toString()).isIn("UNREADABLE", "NO_MATCH", "NO_CORRELATION_VALUE");
    }

    private InboxTable.Row publishAmongGoodOnes(UnusualInput input) {
        run++;
        List<String> orders = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            String auftragId = "gut-" + run + "-" + i;
            orders.add(lab().startOrder("auftrag-ausfuehrung", auftragId));
        }
        String id = lab().publish(input.topic(), input.body(), input.attributes());
        for (int i = 0; i < 10; i++) {
            String typed = "{\"typ\": \"auftragAbgeschlossen\", \"auftragId\": \"gut-" + run + "-" + i + "\"}";
            lab().publish(input.topic(), typed);
        }
        Lab.eventually(
                "ten good messages behind: " + input, () -> orders.stream().allMatch(order -> lab().tasks(order) == 1));
        InboxTable.Row row = Awaitility.await("the unusual one: " + input)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> lab().inbox.rows("MESSAGE_ID_ = '" + id + "'"),
                        rows -> rows.size() == 1
                                && Set.of("WAITING", "PARKED")
                                        .contains(rows.get(0).state()))
                .get(0);
        assertThat(stored(row)).as("not a byte is lost").isEqualTo(input.body());
        assertThat(new Gson().fromJson(row.attributes(), new TypeToken<Map<String, String>>() {}))
                .isEqualTo(input.attributes());
        lab().server.awaitEmpty(input.topic() + "-sub", Duration.ofSeconds(60));
        return row;
    }

    private static ByteString stored(InboxTable.Row row) {
        assertThat(row.payload() == null).as("either text or bytes").isNotEqualTo(row.bytes() == null);
        String payload = row.payload();
        ByteString bytes = row.bytes();
        return payload != null ? ByteString.copyFromUtf8(payload) : bytes == null ? ByteString.EMPTY : bytes;
    }
}
