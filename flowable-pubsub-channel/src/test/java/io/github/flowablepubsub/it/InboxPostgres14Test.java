package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class InboxPostgres14Test extends InboxContract {
    InboxPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
