package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link DoubleSubscriptionContract} on H2. */
class DoubleSubscriptionH2Test extends DoubleSubscriptionContract {

    DoubleSubscriptionH2Test() {
        super(TestDatabase.H2);
    }
}
