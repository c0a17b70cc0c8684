package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link JourneyContract} on PostgreSQL 17. */
class JourneyPostgres17Test extends JourneyContract {

    JourneyPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
