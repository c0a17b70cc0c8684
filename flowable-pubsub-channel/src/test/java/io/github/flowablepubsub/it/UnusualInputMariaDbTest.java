package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link UnusualInputContract} on MariaDB. */
class UnusualInputMariaDbTest extends UnusualInputContract {

    UnusualInputMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
