package io.github.flowablepubsub.it;

/** {@link UnusualInputContract} on PostgreSQL, which refuses more: NUL characters, lone surrogates. */
class UnusualInputPostgresTest extends UnusualInputContract {

    UnusualInputPostgresTest() {
        super(TestDatabase.POSTGRES);
    }
}
