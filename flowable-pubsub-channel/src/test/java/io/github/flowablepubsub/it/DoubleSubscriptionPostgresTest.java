package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link DoubleSubscriptionContract} on PostgreSQL. */
class DoubleSubscriptionPostgresTest extends DoubleSubscriptionContract {

    DoubleSubscriptionPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
