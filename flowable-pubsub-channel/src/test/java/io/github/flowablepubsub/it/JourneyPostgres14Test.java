package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link JourneyContract} on PostgreSQL 14. */
@Tag("once") // on one Flowable line, see .ci/run
class JourneyPostgres14Test extends JourneyContract {

    JourneyPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
