package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link AlarmContract} on this database. */
class AlarmPostgresTest extends AlarmContract {

    AlarmPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
