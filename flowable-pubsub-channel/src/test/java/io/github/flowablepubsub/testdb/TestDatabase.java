package io.github.flowablepubsub.testdb;

import java.util.UUID;

/** Kinds of databases; each call gives an empty one. */
public enum TestDatabase {
    /** In memory. */
    H2("org.h2.Driver", "sa"),
    /** The current line. */
    POSTGRES("org.postgresql.Driver", "postgres"),
    /** The oldest line that PostgreSQL still supports. */
    POSTGRES_14("org.postgresql.Driver", "postgres"),
    /** For all that speak MySQL's protocol. */
    MARIADB("org.mariadb.jdbc.Driver", "engine");

    final String driver;
    final String owner;

    TestDatabase(String driver, String owner) {
        this.driver = driver;
        this.owner = owner;
    }

    /** An empty database as most apps have it. */
    public Database create() {
        return switch (this) {
            case H2 -> new Database(this, newH2Url(), false);
            case POSTGRES -> new Database(this, PostgresServer.current().create(newName()), false);
            case POSTGRES_14 -> new Database(this, PostgresServer.version14().create(newName()), false);
            case MARIADB -> new Database(this, MariaDbServer.get().create(newName(), "utf8mb4_bin"), false);
        };
    }

    /**
     * An empty database on which everything that may differ does: see {@link Hostility}. Its table of another app, which
     * has the inbox's name, must not be touched.
     */
    public Database createHostile() {
        Database database =
                switch (this) {
                    case H2 -> new Database(this, newH2Url() + ";IGNORECASE=TRUE", true);
                    case POSTGRES -> new Database(this, PostgresServer.current().create(newName()), true);
                    case POSTGRES_14 ->
                        new Database(this, PostgresServer.version14().create(newName()), true);
                    case MARIADB ->
                        new Database(this, MariaDbServer.get().create(newName(), "utf8mb4_general_ci"), true);
                };
        Hostility.prepare(database);
        return database;
    }

    boolean isPostgres() {
        return this == POSTGRES || this == POSTGRES_14;
    }

    private static String newName() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    private static String newH2Url() {
        return "jdbc:h2:mem:" + newName() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=10000";
    }
}
