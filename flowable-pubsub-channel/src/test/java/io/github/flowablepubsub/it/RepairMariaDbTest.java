package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link RepairContract} on this database. */
@Tag("once") // on one Flowable line, see .ci/run
class RepairMariaDbTest extends RepairContract {

    RepairMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
