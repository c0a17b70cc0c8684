package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link InboxContract} on PostgreSQL 17. */
class InboxPostgres17Test extends InboxContract {

    InboxPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
