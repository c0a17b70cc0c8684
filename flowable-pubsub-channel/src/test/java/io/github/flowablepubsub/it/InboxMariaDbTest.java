package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link InboxContract} on MariaDB. */
@Tag("once") // on one Flowable line, see .ci/run
class InboxMariaDbTest extends InboxContract {

    InboxMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
