package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MirrorContract} on this database. */
class MirrorH2Test extends MirrorContract {

    MirrorH2Test() {
        super(TestDatabase.H2);
    }
}
