package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link OperatorContract} on this database. */
@Tag("once") // on one Flowable line, see .ci/run
class OperatorPostgresTest extends OperatorContract {

    OperatorPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
