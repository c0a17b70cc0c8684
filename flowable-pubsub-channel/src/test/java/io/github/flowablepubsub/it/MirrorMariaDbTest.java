package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link MirrorContract} on this database. */
class MirrorMariaDbTest extends MirrorContract {

    MirrorMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
