package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

@Tag("once") // on one Flowable line, see .ci/run
class AckAfterCorrelationMariaDbTest extends AckAfterCorrelationContract {

    AckAfterCorrelationMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
