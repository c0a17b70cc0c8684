package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link AlarmContract} on this database. */
@Tag("once") // on one Flowable line, see .ci/run
class AlarmPostgresTest extends AlarmContract {

    AlarmPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
