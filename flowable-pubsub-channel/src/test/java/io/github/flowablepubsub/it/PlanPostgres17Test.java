package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link PlanContract} on PostgreSQL 17. */
class PlanPostgres17Test extends PlanContract {

    PlanPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
