package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class InboxH2Test extends InboxContract {
    InboxH2Test() {
        super(TestDatabase.H2);
    }
}
