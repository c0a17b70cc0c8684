package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link LookContract} on this database. */
class LookH2Test extends LookContract {

    LookH2Test() {
        super(TestDatabase.H2);
    }
}
