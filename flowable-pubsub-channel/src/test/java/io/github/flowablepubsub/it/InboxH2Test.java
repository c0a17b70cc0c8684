package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link InboxContract} on H2. */
class InboxH2Test extends InboxContract {

    InboxH2Test() {
        super(TestDatabase.H2);
    }
}
