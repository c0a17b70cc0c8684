package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link LookContract} on this database. */
class LookPostgresTest extends LookContract {

    LookPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
