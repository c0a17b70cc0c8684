package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link UnusualInputContract} on MariaDB. */
@Tag("once") // on one Flowable line, see .ci/run
class UnusualInputMariaDbTest extends UnusualInputContract {

    UnusualInputMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
