package io.github.flowablepubsub.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DueMapper;
import io.github.flowablepubsub.inbox.DueMapper.DueFrom;
import io.github.flowablepubsub.inbox.HeldMapper;
import io.github.flowablepubsub.inbox.InboxFilter;
import io.github.flowablepubsub.inbox.Lane;
import io.github.flowablepubsub.inbox.LaneMapper;
import io.github.flowablepubsub.inbox.LookMapper;
import io.github.flowablepubsub.inbox.MirrorMapper;
import io.github.flowablepubsub.inbox.StateMapper;
import io.github.flowablepubsub.inbox.TwinMapper;
import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Rule R9 by counting: what each statement of a claim costs with a few rows of every kind, and with {@value #FULL} times as
 * many. The rows are due and of many keys, behind one key, waiting, held back, parked and done.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlanContract {

    private static final int FEW = 16;
    private static final int DOUBLINGS = 10;
    private static final int FULL = 1 << DOUBLINGS;
    private static final int PAGE = 200;

    private static final String COLUMNS = "CHANNEL_TENANT_ID_, TENANT_ID_, BODY_HASH_, EVENT_KEY_, CORRELATION_KEY_,"
            + " STATE_, REASON_, ATTEMPTS_, NEXT_ATTEMPT_, EXPIRES_AT_, FINISHED_AT_, PAYLOAD_, ATTRIBUTES_,"
            + " PUBLISHED_AT_, RECEIVED_AT_, JOB_ID_, CHANNEL_KEY_";

    private final TestDatabase kind;
    private final ChannelId channel = new ChannelId("fill", "");
    private final Map<String, Long> few = new LinkedHashMap<>();
    private final Map<String, Long> full = new LinkedHashMap<>();
    private @Nullable InboxBench started;

    PlanContract(TestDatabase kind) {
        this.kind = kind;
    }

    private InboxBench bench() {
        return Objects.requireNonNull(started);
    }

    @BeforeAll
    void fill() {
        started = new InboxBench(kind);
        for (int i = 0; i < FEW; i++) {
            bench().stored(channel, "due" + i, "due" + i, "e");
            bench().stored(channel, "busy" + i, "busy", "e");
            for (String state : List.of("waits", "held", "parked", "done")) {
                bench().stored(channel, state + i, state.equals("held") ? "held" : state + i, "e");
            }
        }
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'WAITING', REASON_ = 'NO_MATCH' where MESSAGE_ID_ like 'waits%'");
        sql("update FLW_PUBSUB_INBOX set NEXT_ATTEMPT_ = null where MESSAGE_ID_ like 'waits%'");
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'WAITING', REASON_ = 'HELD_BACK', NEXT_ATTEMPT_ = null"
                + " where MESSAGE_ID_ like 'held%'");
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'PARKED', REASON_ = 'AMBIGUOUS' where MESSAGE_ID_ like 'parked%'");
        sql("update FLW_PUBSUB_INBOX set STATE_ = 'DONE', FINISHED_AT_ = CURRENT_TIMESTAMP"
                + " where MESSAGE_ID_ like 'done%'");
        sql("update FLW_PUBSUB_INBOX set ORDER_KEY_ = 'stuck' where MESSAGE_ID_ like 'parked%'");
        bench().stored(channel, "free", "free", "e");
        sql(
                "update FLW_PUBSUB_INBOX set JOB_ID_ = concat('j', ID_) where STATE_ = 'PARKED' or MESSAGE_ID_ like 'waits%'");
        measure(few);
        for (int i = 0; i < DOUBLINGS; i++) {
            sql("insert into FLW_PUBSUB_INBOX (MESSAGE_ID_, ORDER_KEY_, " + COLUMNS + ") select concat(MESSAGE_ID_, '."
                    + i
                    + "'), case when ORDER_KEY_ in ('busy', 'held', 'stuck') then ORDER_KEY_ else concat(ORDER_KEY_, '."
                    + i
                    + "') end, " + COLUMNS + " from FLW_PUBSUB_INBOX where MESSAGE_ID_ <> 'free'");
        }
        sql("insert into FLW_PUBSUB_MATCH_KEY (INBOX_ID_, EVENT_KEY_, CONFIGURATION_)"
                + " select ID_, EVENT_KEY_, concat('c', ID_) from FLW_PUBSUB_INBOX where STATE_ = 'WAITING'");
        subscribe();
        analyze();
        assertThat(bench().database.rows("OPEN")).isEqualTo(2L * FEW * FULL + 1);
        measure(full);
        System.out.println("Costs on " + kind + " with few rows " + few + ", with " + FULL + " times as many " + full);
    }

    /** As many executions of the engine that wait for an event, each for a key of its own. */
    private void subscribe() {
        sql("insert into ACT_RU_EVENT_SUBSCR (ID_, EVENT_TYPE_, CONFIGURATION_, CREATED_)"
                + " select concat('s', ID_), 'e', concat('c', ID_), CURRENT_TIMESTAMP from FLW_PUBSUB_INBOX");
    }

    @AfterAll
    void stop() {
        bench().close();
    }

    private void sql(String statement) {
        bench().inbox.sql(statement);
    }

    /** As the database does by itself, sooner or later. */
    private void analyze() {
        if (kind == TestDatabase.MARIADB) {
            bench().database.strings("analyze table FLW_PUBSUB_INBOX, ACT_RU_EVENT_SUBSCR");
        } else {
            sql("analyze");
        }
    }

    private void measure(Map<String, Long> costs) {
        StatementCost cost = new StatementCost(bench());
        DueFrom from = new DueFrom(channel, DueContract.LONG_AGO);
        Lane free = Lane.of(channel, "free");
        measureMirrors(costs, cost);
        measureLooks(costs, cost);
        measureState(costs, cost);
        costs.put(
                "subscriptions of a key",
                cost.of(TwinMapper.class, "find", Map.of("eventKey", "e", "configuration", "c1", "limit", 20)));
        costs.put("lock", cost.of(LaneMapper.class, "lock", free));
        costs.put("head of a free key", cost.of(LaneMapper.class, "oldestOpen", free));
        costs.put("head of a busy key", cost.of(LaneMapper.class, "oldestOpen", Lane.of(channel, "busy")));
        costs.put("head behind many held back", cost.of(LaneMapper.class, "oldestOpen", Lane.of(channel, "held")));
        costs.put(
                "next held back",
                cost.of(HeldMapper.class, "oldestHeldBack", Map.of("lane", Lane.of(channel, "held"), "eventKey", "e")));
        costs.put("what stands before a free key", marks("free", cost));
        costs.put("what stands before many held back", marks("held", cost));
        costs.put("what stands before many parked", marks("stuck", cost));
        costs.put(
                "next event of many held back",
                cost.of(HeldMapper.class, "nextEvent", Map.of("lane", Lane.of(channel, "held"), "after", "")));
        costs.put("next key", cost.of(DueMapper.class, "nextOrderKey", Map.of("channel", channel, "after", "busy")));
        costs.put("due", cost.of(DueMapper.class, "due", Map.of("channels", List.of(from), "limit", PAGE)));
        costs.put(
                "subscribed",
                cost.of(
                        DueMapper.class,
                        "waitingFor",
                        Map.of("eventKey", "e", "configuration", "c1", "after", 0L, "limit", PAGE)));
    }

    private void measureMirrors(Map<String, Long> costs, StatementCost cost) {
        costs.put(
                "parked without job",
                cost.of(
                        MirrorMapper.class,
                        "withoutJob",
                        Map.of("channels", List.of(new MirrorMapper.From(channel, 0)), "limit", PAGE)));
        costs.put("with a job no more", cost.of(MirrorMapper.class, "withJobNoMore", Map.of("limit", PAGE)));
        costs.put(
                "a page of the parked",
                cost.of(MirrorMapper.class, "parkedWithJob", Map.of("after", " ", "limit", FEW)));
        costs.put(
                "a page of those that wait for long",
                cost.of(MirrorMapper.class, "waitingWithJob", Map.of("after", " ", "limit", FEW)));
    }

    private void measureLooks(Map<String, Long> costs, StatementCost cost) {
        InboxFilter parked = InboxFilter.PARKED;
        costs.put("first page of the parked", look(parked, cost));
        costs.put("first page of the parked of a channel", look(parked.withChannel("fill", ""), cost));
        costs.put("first page of a key", look(InboxFilter.UNFINISHED.withKeys(null, "parked1", null), cost));
        costs.put("unfinished by channel and reason", cost.of(LookMapper.class, "groups", Map.of("limit", 100_000)));
    }

    private static long look(InboxFilter filter, StatementCost cost) {
        Map<String, Object> parameters =
                new HashMap<>(Map.of("filter", filter, "after", 0L, "newest", false, "limit", FEW));
        parameters.put("age", null);
        parameters.put("text", null);
        return cost.of(LookMapper.class, "select", parameters);
    }

    private long marks(String key, StatementCost cost) {
        return cost.of(HeldMapper.class, "marks", Map.of("lane", Lane.of(channel, key)));
    }

    /** The claim locks one row of its own table, whatever is due. */
    @Test
    void dbScheduler441_withManyDueRowsAClaimLocksOneRowAndALookReadsOnePage() {
        assertGrowsByNoMoreThan(20, "lock");
        // two states, at most a page of each, and each row once in the index and once in the table
        assertThat(cost(full, "due")).isLessThanOrEqualTo(cost(few, "due") + 5L * PAGE);
    }

    @Test
    void graphileWorker240And558_aClaimDoesNotGrowWithTheBacklogOfItsKeyNorOfOthers() {
        assertGrowsByNoMoreThan(20, "head of a free key");
        assertGrowsByNoMoreThan(20, "head of a busy key");
        assertGrowsByNoMoreThan(20, "head behind many held back");
        assertGrowsByNoMoreThan(20, "next held back");
    }

    @Test
    void whatHoldsBackIsFoundAmongAny() {
        assertGrowsByNoMoreThan(20, "what stands before a free key");
        assertGrowsByNoMoreThan(20, "what stands before many held back");
        assertGrowsByNoMoreThan(20, "what stands before many parked");
        // H2 reads them all.
        assertGrowsByNoMoreThan(20 + (kind == TestDatabase.H2 ? 2L * FEW * FULL : 0), "next event of many held back");
    }

    @Test
    void theNextKeyAndTheRowsOfASubscriptionAreFoundAmongAny() {
        // H2 finds what is greater than a key behind all rows that are equal to it.
        long backlogOfTheKeyBefore = kind == TestDatabase.H2 ? (long) FEW * FULL : 0;
        assertGrowsByNoMoreThan(20 + backlogOfTheKeyBefore, "next key");
        assertGrowsByNoMoreThan(20, "subscribed");
    }

    private void measureState(Map<String, Long> costs, StatementCost cost) {
        Map<String, Object> some = Map.of("channels", List.of(channel), "limit", PAGE);
        costs.put("unfinished up to a limit", cost.of(StateMapper.class, "unfinished", some));
        costs.put("next channel of the table", cost.of(StateMapper.class, "channelBehind", Map.of("after", "~")));
        costs.put("its tenant", cost.of(StateMapper.class, "tenantBehind", Map.of("key", channel.key(), "after", "t")));
        costs.put("parked up to a limit", cost.of(StateMapper.class, "parked", some));
        costs.put("oldest of each state", cost.of(StateMapper.class, "oldest", some));
    }

    /** Every 10 seconds while somebody scrapes. */
    @Test
    void howTheTableStandsIsReadUpToALimit() {
        assertGrowsByNoMoreThan(20 + 5L * PAGE, "unfinished up to a limit");
        assertGrowsByNoMoreThan(20 + 3L * PAGE, "parked up to a limit");
        assertGrowsByNoMoreThan(20, "oldest of each state");
        assertGrowsByNoMoreThan(20, "next channel of the table");
        assertGrowsByNoMoreThan(20, "its tenant");
    }

    /** With each new subscription. */
    @Test
    void aSecondSubscriptionOfAKeyIsFoundAmongAny() {
        assertGrowsByNoMoreThan(20, "subscriptions of a key");
    }

    /** Every 4 seconds, so it must not read the parked rows. */
    @Test
    void rowsThatNeedAJobOrHaveOneInVainAreFoundAmongAny() {
        assertGrowsByNoMoreThan(20, "parked without job");
        assertGrowsByNoMoreThan(20, "with a job no more");
        assertGrowsByNoMoreThan(20 + FEW, "a page of the parked");
        assertGrowsByNoMoreThan(20 + FEW, "a page of those that wait for long");
    }

    /** As a person looks, but over any number of others. */
    @Test
    void aPageOfTheParkedIsFoundAmongAny() {
        assertGrowsByNoMoreThan(20 + FEW, "first page of the parked");
        assertGrowsByNoMoreThan(20 + FEW, "first page of the parked of a channel");
        // The correlation key is copied, too: all rows that have it are read to find the first ones.
        assertGrowsByNoMoreThan(20 + 4L * FULL, "first page of a key");
    }

    /** Each unfinished row is read once, and its entry in an index. MariaDB counts its own temporary tables, too. */
    @Test
    void groupsReadWhatIsUnfinishedAlone() {
        long unfinished = 5L * FEW * FULL;
        assertThat(cost(full, "unfinished by channel and reason"))
                .isLessThanOrEqualTo((kind == TestDatabase.MARIADB ? 6 : 2) * unfinished + 1000);
    }

    private static long cost(Map<String, Long> costs, String what) {
        return Objects.requireNonNull(costs.get(what), what);
    }

    /** Deeper indexes cost a few blocks or rows; anything that reads rows in vain costs thousands. */
    private void assertGrowsByNoMoreThan(long growth, String what) {
        assertThat(cost(full, what)).as(what).isLessThanOrEqualTo(cost(few, what) + growth);
    }
}
