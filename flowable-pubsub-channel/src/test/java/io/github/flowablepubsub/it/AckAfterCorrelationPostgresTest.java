package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class AckAfterCorrelationPostgresTest extends AckAfterCorrelationContract {

    AckAfterCorrelationPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
