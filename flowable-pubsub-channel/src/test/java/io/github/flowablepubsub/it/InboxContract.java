package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** What every database must do for the inbox, statement by statement, on its hostile fixture; one subclass per database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InboxContract
        implements ColumnContract,
                StoreContract,
                DedupContract,
                LaneContract,
                HeldContract,
                AheadContract,
                DueContract,
                WakeUpContract,
                StateContract {

    private final TestDatabase kind;
    private @Nullable InboxBench bench;

    InboxContract(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeAll
    void start() {
        bench = new InboxBench(kind);
    }

    @AfterAll
    void stop() {
        bench().close();
    }

    @Override
    public InboxBench bench() {
        return Objects.requireNonNull(bench);
    }
}
