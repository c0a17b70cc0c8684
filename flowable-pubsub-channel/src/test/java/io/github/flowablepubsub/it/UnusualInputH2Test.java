package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link UnusualInputContract} on H2. */
@Tag("once") // on one Flowable line, see .ci/run
class UnusualInputH2Test extends UnusualInputContract {

    UnusualInputH2Test() {
        super(TestDatabase.H2);
    }
}
