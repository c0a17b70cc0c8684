package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link PlanContract} on PostgreSQL 14. */
class PlanPostgres14Test extends PlanContract {

    PlanPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
