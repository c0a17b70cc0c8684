package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link MessageContract} on MariaDB. */
@Tag("once") // on one Flowable line, see .ci/run
class MessageMariaDbTest extends MessageContract {

    MessageMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
