package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.InboxMessage.Seen;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.operations.PubSubInboxService;
import io.github.flowablepubsub.relay.RepairResult;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.relay.RepairResult.Refused;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What operators do to rows that nobody else touches, as no node knows their channel, on a database where everything is
 * different; one subclass each.
 */
@Tag("once") // on one Flowable line, see .ci/run
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OperatorRowContract {

    private final TestDatabase kind;
    private @Nullable InboxBench started;

    OperatorRowContract(TestDatabase kind) {
        this.kind = kind;
    }

    private InboxBench bench() {
        return Objects.requireNonNull(started);
    }

    private PubSubInboxService service() {
        return bench().node.pubsub.inbox();
    }

    @BeforeAll
    void start() {
        started = new InboxBench(kind);
    }

    @AfterAll
    void stop() {
        bench().close();
    }

    private Seen seen(long row) {
        return service().get(row).orElseThrow().seen();
    }

    private InboxTable.Row row(long id) {
        return bench().row(id);
    }

    private @Nullable String by(long id) {
        return service().get(id).orElseThrow().finishedBy();
    }

    private long foreign(String channel, String id, String state) {
        long row = bench().stored(new ChannelId(channel, ""), id, id, "e");
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set STATE_ = '" + state
                        + "', ATTEMPTS_ = 1, LAST_ERROR_ = 'alt' where ID_ = " + row);
        return row;
    }

    private RepairResult act(String what, long row) {
        return switch (what) {
            case "retry" -> service().retry(seen(row), "erika");
            case "discard" -> service().discard(seen(row), "erika", "weg damit");
            case "park" -> service().park(seen(row), "erika", "spaeter");
            default -> service().deliver(seen(row), "4711", "erika");
        };
    }

    /** What each state allows: the state after it, or a part of the refusal. */
    private static final String ALLOWED =
            """
            OPEN|retry:due already|discard:DISCARDED|park:PARKED|deliver:only a parked
            BACKOFF|retry:OPEN|discard:DISCARDED|park:PARKED|deliver:only a parked
            WAITING|retry:OPEN|discard:DISCARDED|park:PARKED|deliver:only a parked
            HELD_BACK|retry:held back|discard:DISCARDED|park:PARKED|deliver:only a parked
            PARKED|retry:OPEN|discard:DISCARDED|park:parked already|deliver:knows no channel
            DONE|retry:final|discard:final|park:final|deliver:only a parked
            DISCARDED|retry:final|discard:final|park:final|deliver:only a parked
            """;

    @Test
    void eachOperationDoesWhatTheStateAllows_andNothingElse() {
        for (String line : ALLOWED.lines().toList()) {
            String[] cells = line.split("\\|", -1);
            for (int i = 1; i < cells.length; i++) {
                String what = cells[i].substring(0, cells[i].indexOf(':'));
                check(cells[0], what, cells[i].substring(what.length() + 1));
            }
        }
    }

    private void check(String name, String what, String expected) {
        String state = name.equals("BACKOFF") ? "OPEN" : name.equals("HELD_BACK") ? "WAITING" : name;
        long row = foreign("fremd", name + what, state);
        bench().inbox.sql("update FLW_PUBSUB_INBOX set REASON_ = 'NO_MATCH' where ID_ = " + row);
        if (name.equals("BACKOFF")) {
            bench().inbox
                    .sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = timestamp '2037-01-01 00:00:00' where ID_ = "
                            + row);
        } else if (name.equals("HELD_BACK")) {
            bench().inbox.sql("update FLW_PUBSUB_INBOX set REASON_ = 'HELD_BACK' where ID_ = " + row);
        }
        RepairResult result = act(what, row);
        InboxTable.Row after = row(row);
        if (expected.equals(expected.toUpperCase(Locale.ROOT))) {
            assertThat(result).as(name + " " + what).isEqualTo(new Done(row, MessageState.valueOf(expected)));
            assertThat(after.state()).isEqualTo(expected);
            assertThat(after.attempts()).isEqualTo(what.equals("retry") ? 0 : 1);
            assertThat(by(row)).isEqualTo("erika");
            String error = what.equals("discard")
                    ? "Discarded: weg damit. Before: alt"
                    // What a process said before it was held back stays with its row: it may quote the body.
                    : "Parked by hand: spaeter" + (name.equals("HELD_BACK") ? "" : ". Before: alt");
            assertThat(after.error()).isEqualTo(what.equals("retry") ? "alt" : error);
        } else {
            assertThat(result).as(name + " " + what).isInstanceOf(Refused.class);
            assertThat(((Refused) result).why()).contains(expected);
            assertThat(after.state()).isEqualTo(state);
            assertThat(by(row)).isNull();
        }
    }

    @Test
    void aMessageThatHasChangedIsReported_notOverwritten() {
        long row = foreign("fremd2", "a", "PARKED");
        Seen seen = seen(row);
        bench().inbox.sql("update FLW_PUBSUB_INBOX set ATTEMPTS_ = 2 where ID_ = " + row);
        assertThat(service().discard(seen, "erika", "weg")).isEqualTo(new NotAsSeen(row, MessageState.PARKED));
        bench().inbox.sql("update FLW_PUBSUB_INBOX set ATTEMPTS_ = 1, STATE_ = 'DONE' where ID_ = " + row);
        assertThat(service().retry(seen, "erika")).isEqualTo(new NotAsSeen(row, MessageState.DONE));
        assertThat(service().deliver(seen, "x", "erika")).isEqualTo(new NotAsSeen(row, MessageState.DONE));
        bench().inbox.sql("delete from FLW_PUBSUB_INBOX where ID_ = " + row);
        assertThat(service().retry(seen, "erika")).isEqualTo(new NotAsSeen(row, null));
        assertThatThrownBy(() -> service().retry(seen, " ")).hasMessageContaining("The actor is missing");
        assertThatThrownBy(() -> service().discard(seen, "erika", "")).hasMessageContaining("The reason is missing");
    }

    /** What comes between the look at the row and its change: only the statement itself can notice that. */
    @Test
    void eachStatementChangesTheRowOnlyAsItWasSeen() {
        long row = foreign("fremd5", "d", "PARKED");
        Seen seen = seen(row);
        List<Seen> others = List.of(
                new Seen(row, MessageState.WAITING, 1, seen.nextAttempt()),
                new Seen(row, MessageState.PARKED, 2, seen.nextAttempt()),
                new Seen(
                        row,
                        MessageState.PARKED,
                        1,
                        Objects.requireNonNull(seen.nextAttempt()).plusNanos(1000)),
                new Seen(row, MessageState.PARKED, 1, null));
        for (Seen other : others) {
            assertThat(changed(other)).as(other.toString()).isZero();
        }
        assertThat(row(row).state()).isEqualTo("PARKED");
        bench().inbox.sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = null where ID_ = " + row);
        assertThat(changed(seen)).isZero();
        assertThat(changed(seen(row)))
                .as("park, then discard; then it can't be opened")
                .isEqualTo(2);
    }

    private int changed(Seen seen) {
        return bench().call(session -> session.repairs().park(seen, "erika", "e")
                + session.repairs().discard(seen, "erika", "e")
                + session.repairs().open(seen, "erika"));
    }

    @Test
    void ofTwoOperatorsAtOnceOneWins() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        for (int i = 0; i < 10; i++) {
            long row = foreign("fremd3", "b" + i, i % 2 == 0 ? "PARKED" : "WAITING");
            Seen seen = seen(row);
            Future<RepairResult> one = bench().elsewhere(() -> {
                together.await();
                return service().retry(seen, "erika");
            });
            Future<RepairResult> other = bench().elsewhere(() -> {
                together.await();
                return service().discard(seen, "kermit", "weg");
            });
            List<RepairResult> results = List.of(one.get(60, TimeUnit.SECONDS), other.get(60, TimeUnit.SECONDS));
            assertThat(results).filteredOn(Done.class::isInstance).hasSize(1);
            assertThat(results).filteredOn(NotAsSeen.class::isInstance).hasSize(1);
            boolean retried = results.get(0) instanceof Done;
            assertThat(row(row).state()).isEqualTo(retried ? "OPEN" : "DISCARDED");
            assertThat(by(row)).isEqualTo(retried ? "erika" : "kermit");
        }
    }

    @Test
    void parkedByHandAnErrorThatMayQuoteTheBodyIsNotKept() {
        long row = foreign("fremd4", "c", "OPEN");
        bench().inbox
                .sql("update FLW_PUBSUB_INBOX set REASON_ = 'PROCESS_FAILED', LAST_ERROR_ = 'Geheimnis' where ID_ = "
                        + row);
        assertThat(act("park", row)).isInstanceOf(Done.class);
        assertThat(row(row).error()).isEqualTo("Parked by hand: spaeter");
        assertThat(row(row).reason()).isEqualTo("PARKED_BY_OPERATOR");
    }
}
