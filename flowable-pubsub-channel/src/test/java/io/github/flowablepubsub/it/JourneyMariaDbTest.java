package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link JourneyContract} on MariaDB. */
class JourneyMariaDbTest extends JourneyContract {

    JourneyMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
