package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link OperatorRowContract} on this database. */
class OperatorRowH2Test extends OperatorRowContract {

    OperatorRowH2Test() {
        super(TestDatabase.H2);
    }
}
