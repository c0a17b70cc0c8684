package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link ChosenContract} on this database. */
class ChosenH2Test extends ChosenContract {

    ChosenH2Test() {
        super(TestDatabase.H2);
    }
}
