package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

/** {@link UnusualInputContract} on PostgreSQL, which refuses more: NUL characters, lone surrogates. */
class UnusualInputPostgresTest extends UnusualInputContract {

    UnusualInputPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
