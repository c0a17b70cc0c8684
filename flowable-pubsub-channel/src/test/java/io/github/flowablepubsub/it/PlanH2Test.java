package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link PlanContract} on H2. */
@Tag("once") // on one Flowable line, see .ci/run
class PlanH2Test extends PlanContract {

    PlanH2Test() {
        super(TestDatabase.H2);
    }
}
