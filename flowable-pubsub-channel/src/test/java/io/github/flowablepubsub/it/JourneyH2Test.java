package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link JourneyContract} on H2. */
class JourneyH2Test extends JourneyContract {

    JourneyH2Test() {
        super(TestDatabase.H2);
    }
}
