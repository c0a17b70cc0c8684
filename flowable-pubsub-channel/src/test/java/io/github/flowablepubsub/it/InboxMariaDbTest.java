package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link InboxContract} on MariaDB. */
class InboxMariaDbTest extends InboxContract {

    InboxMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
