package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MessageContract} on H2. */
class MessageH2Test extends MessageContract {

    MessageH2Test() {
        super(TestDatabase.H2);
    }
}
