package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link LookContract} on this database. */
class LookMariaDbTest extends LookContract {

    LookMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
