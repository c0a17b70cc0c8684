package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link PlanContract} on MariaDB. */
@Tag("once") // on one Flowable line, see .ci/run
class PlanMariaDbTest extends PlanContract {

    PlanMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
