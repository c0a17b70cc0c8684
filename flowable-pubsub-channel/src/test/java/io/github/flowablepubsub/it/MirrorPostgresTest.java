package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link MirrorContract} on this database. */
@Tag("once") // on one Flowable line, see .ci/run
class MirrorPostgresTest extends MirrorContract {

    MirrorPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
