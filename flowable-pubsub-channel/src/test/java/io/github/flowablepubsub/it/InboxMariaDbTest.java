package io.github.flowablepubsub.it;

import io.github.flowablepubsub.testdb.TestDatabase;

class InboxMariaDbTest extends InboxContract {
    InboxMariaDbTest() {
        super(TestDatabase.MARIADB);
    }
}
