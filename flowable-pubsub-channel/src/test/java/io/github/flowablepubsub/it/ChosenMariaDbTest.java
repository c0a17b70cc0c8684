package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link ChosenContract} on this database. */
@Tag("once") // on one Flowable line, see .ci/run
class ChosenMariaDbTest extends ChosenContract {

    ChosenMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
