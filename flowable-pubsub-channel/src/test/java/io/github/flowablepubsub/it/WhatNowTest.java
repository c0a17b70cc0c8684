package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.Database;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.flowable.engine.delegate.JavaDelegate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The statements of {@code docs/a-message-hangs.md} say what they are said to say, and repair. */
@Tag("once") // on one Flowable line, see .ci/run
class WhatNowTest {

    private static final String CHANNEL = "auftragRueckmeldungen";

    private final AtomicBoolean broken = new AtomicBoolean();
    private final JavaDelegate step = execution -> {
        if (broken.get()) {
            throw new IllegalStateException("The service provider is not there");
        }
    };

    /** What the page has, by the names in its comments. */
    private record Page(Map<String, String> statements) {
        String get(String name) {
            return Objects.requireNonNull(statements.get(name), name);
        }
    }

    private static Page page() throws IOException {
        Matcher matcher = Pattern.compile("<!-- sql: ([a-z-]+) -->\n```sql\n(.*?)\n```\n", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/a-message-hangs.md")));
        return new Page(matcher.results().collect(Collectors.toMap(found -> found.group(1), found -> found.group(2))));
    }

    @ParameterizedTest
    @EnumSource(names = {"H2", "POSTGRES", "MARIADB"})
    void theWholePage(TestDatabase kind) throws IOException {
        Page page = page();
        assertThat(page.statements())
                .containsOnlyKeys(
                        "groups", "order", "message", "before", "subscriptions", "repair", "repair-many", "discard");
        broken.set(true);
        Database database = kind.create();
        try (Lab lab = Lab.start(database, Map.of("arbeit", step))) {
            lab.channel(CHANNEL, "{\"retry\": {\"giveUpAfter\": \"PT0S\"}}");
            lab.node.deployProcess(Models.chain(
                    "arbeiten",
                    Models.catchEvent("warten", "auftragAbgeschlossen"),
                    Models.service("tun", "arbeit"),
                    Models.userTask("danach")));
            InboxTable.Row waiting = row(lab, "WAITING", "4711");
            InboxTable.Row behind = row(lab, "WAITING", "4711");
            assertThat(behind.reason()).isEqualTo("HELD_BACK");

            assertThat(database.strings("select STATE_ from (" + page.get("groups") + ") g"))
                    .containsExactly("WAITING", "WAITING");
            assertThat(database.strings(page.get("order"))).containsExactly("" + waiting.id(), "" + behind.id());
            assertThat(database.strings(page.get("message").replace("8123456789", behind.messageId())))
                    .containsExactly("" + behind.id());
            assertThat(database.strings(of(page.get("before"), behind))).containsExactly("" + waiting.id());

            assertThat(database.strings(page.get("subscriptions"))).isEmpty();
            String instance = lab.startOrder("arbeiten", "4712");
            assertThat(database.strings(page.get("subscriptions"))).containsExactly(instance);

            assertThat(lab.inbox.sql(of(page.get("discard"), waiting))).isEqualTo(1);
            Lab.eventually("what it held back goes on", () -> "NO_MATCH"
                    .equals(lab.inbox
                            .messageInState(behind.messageId(), "WAITING")
                            .reason()));
            assertThat(lab.inbox.sql(of(page.get("discard"), waiting)))
                    .as("finished already")
                    .isZero();

            InboxTable.Row one = row(lab, "PARKED", "4712");
            lab.startOrder("arbeiten", "4713");
            InboxTable.Row other = row(lab, "PARKED", "4713");
            broken.set(false);
            assertThat(lab.inbox.sql(of(page.get("repair"), one))).isEqualTo(1);
            lab.inbox.messageInState(one.messageId(), "DONE");
            assertThat(lab.tasks(instance)).isEqualTo(1);
            assertThat(lab.inbox.sql(page.get("repair-many"))).isEqualTo(1);
            lab.inbox.messageInState(other.messageId(), "DONE");
        }
    }

    private static String of(String statement, InboxTable.Row row) {
        assertThat(statement).contains("ID_ = 1");
        return statement.replace("ID_ = 1", "ID_ = " + row.id());
    }

    private static InboxTable.Row row(Lab lab, String state, String order) {
        return lab.inbox.messageInState(lab.publish(CHANNEL, Models.completion(order, 1)), state);
    }
}
