package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link PlanContract} on PostgreSQL 17. */
@Tag("once") // on one Flowable line, see .ci/run
class PlanPostgres17Test extends PlanContract {

    PlanPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
