package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link AlarmContract} on this database. */
class AlarmH2Test extends AlarmContract {

    AlarmH2Test() {
        super(TestDatabase.H2);
    }
}
