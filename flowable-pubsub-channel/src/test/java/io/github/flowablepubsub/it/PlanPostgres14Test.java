package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link PlanContract} on PostgreSQL 14. */
@Tag("once") // on one Flowable line, see .ci/run
class PlanPostgres14Test extends PlanContract {

    PlanPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
