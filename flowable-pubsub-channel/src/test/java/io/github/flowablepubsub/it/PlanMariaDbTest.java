package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link PlanContract} on MariaDB. */
class PlanMariaDbTest extends PlanContract {

    PlanMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
