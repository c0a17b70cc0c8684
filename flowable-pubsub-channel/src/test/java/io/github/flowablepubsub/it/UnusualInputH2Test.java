package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link UnusualInputContract} on H2. */
class UnusualInputH2Test extends UnusualInputContract {

    UnusualInputH2Test() {
        super(TestDatabase.H2);
    }
}
