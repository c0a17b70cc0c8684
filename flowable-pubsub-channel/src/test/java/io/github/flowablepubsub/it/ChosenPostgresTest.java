package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link ChosenContract} on this database. */
class ChosenPostgresTest extends ChosenContract {

    ChosenPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
