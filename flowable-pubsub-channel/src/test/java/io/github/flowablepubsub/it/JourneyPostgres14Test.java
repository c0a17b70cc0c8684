package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link JourneyContract} on PostgreSQL 14. */
class JourneyPostgres14Test extends JourneyContract {

    JourneyPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
