package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link OperatorContract} on this database. */
class OperatorPostgresTest extends OperatorContract {

    OperatorPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
