package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MirrorContract} on this database. */
class MirrorPostgresTest extends MirrorContract {

    MirrorPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
