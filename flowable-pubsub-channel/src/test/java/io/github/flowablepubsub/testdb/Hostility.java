package io.github.flowablepubsub.testdb;

import java.time.ZoneId;
import java.util.List;

/**
 * What an operator may have set otherwise than a developer: sessions in a time zone that is neither the JVM's nor UTC, with
 * half hours and daylight saving; REPEATABLE READ as the pool's default; a pool of three; tables in a schema that is not the
 * default one, while another app's table of the same name is in that; a collation that takes upper and lower case for the
 * same (MariaDB's general one, H2's {@code IGNORECASE}; PostgreSQL has none for a whole database).
 */
final class Hostility {

    static final ZoneId ZONE = ZoneId.of("America/St_Johns");

    static final int CONNECTIONS = 3;

    private static final String SCHEMA = "engine";

    private Hostility() {}

    /** Statements for each new connection. */
    static List<String> onConnect(TestDatabase kind) {
        return switch (kind) {
            case H2 -> List.of("set time zone '" + ZONE + "'", "set schema " + schema(kind));
            case POSTGRES, POSTGRES_14 -> List.of("set time zone '" + ZONE + "'", "set search_path to " + schema(kind));
            case MARIADB -> List.of("set time_zone = '" + ZONE + "'");
        };
    }

    /** The schema as it stands in the catalogue; on MariaDB a schema is a database, and there is no default one. */
    static String schema(TestDatabase kind) {
        return kind == TestDatabase.H2 ? "ENGINE" : SCHEMA;
    }

    static void prepare(Database database) {
        if (database.kind() != TestDatabase.MARIADB) {
            Database plain = new Database(database.kind(), database.url(), false);
            plain.update("create schema " + SCHEMA);
            plain.update("create table FLW_PUBSUB_INBOX (OTHER_ integer)");
        }
    }
}
