package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;
import org.junit.jupiter.api.Tag;

/** {@link InboxContract} on PostgreSQL 14. */
@Tag("once") // on one Flowable line, see .ci/run
class InboxPostgres14Test extends InboxContract {

    InboxPostgres14Test() {
        super(TestDatabase.POSTGRES_14);
    }
}
