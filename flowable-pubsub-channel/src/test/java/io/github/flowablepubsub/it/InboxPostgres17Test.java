package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class InboxPostgres17Test extends InboxContract {
    InboxPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
