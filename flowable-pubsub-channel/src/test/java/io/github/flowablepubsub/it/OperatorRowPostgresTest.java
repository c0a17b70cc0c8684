package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link OperatorRowContract} on this database. */
class OperatorRowPostgresTest extends OperatorRowContract {

    OperatorRowPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
