package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link OperatorContract} on this database. */
class OperatorH2Test extends OperatorContract {

    OperatorH2Test() {
        super(TestDatabase.H2);
    }
}
