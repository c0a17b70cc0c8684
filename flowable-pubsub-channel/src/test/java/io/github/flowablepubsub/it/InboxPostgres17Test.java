package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link InboxContract} on PostgreSQL 17. */
@Tag("once") // on one Flowable line, see .ci/run
class InboxPostgres17Test extends InboxContract {

    InboxPostgres17Test() {
        super(TestDatabase.POSTGRES);
    }
}
