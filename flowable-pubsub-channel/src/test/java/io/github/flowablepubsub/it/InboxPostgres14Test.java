package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link InboxContract} on PostgreSQL 14. */
class InboxPostgres14Test extends InboxContract {

    InboxPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
