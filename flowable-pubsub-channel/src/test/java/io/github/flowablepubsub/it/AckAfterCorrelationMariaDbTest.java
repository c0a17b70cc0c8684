package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class AckAfterCorrelationMariaDbTest extends AckAfterCorrelationContract {

    AckAfterCorrelationMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
