package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MessageContract} on PostgreSQL. */
class MessagePostgresTest extends MessageContract {

    MessagePostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
