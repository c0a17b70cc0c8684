package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MessageContract} on MariaDB. */
class MessageMariaDbTest extends MessageContract {

    MessageMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
