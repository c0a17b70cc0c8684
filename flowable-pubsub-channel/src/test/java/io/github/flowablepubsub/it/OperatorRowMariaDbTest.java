package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link OperatorRowContract} on this database. */
class OperatorRowMariaDbTest extends OperatorRowContract {

    OperatorRowMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
