package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link PlanContract} on H2. */
class PlanH2Test extends PlanContract {

    PlanH2Test() {
        super(TestDatabase.H2);
    }
}
