package io.github.flowablepubsub.testdb;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server that commits as in production, for what tests kill must be durable. */
final class PostgresServer {

    /** Where the build unpacks the second version. */
    private static final Path VERSION_14 = Path.of("target", "postgres-14");

    private static @Nullable PostgresServer current;
    private static @Nullable PostgresServer version14;

    private final EmbeddedPostgres server;

    private PostgresServer(@Nullable PgBinaryResolver binaries) {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setServerConfig("max_connections", "200")
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on");
        try {
            server = binaries == null
                    ? builder.start()
                    : builder.setPgBinaryResolver(binaries).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static synchronized PostgresServer current() {
        if (current == null) {
            current = new PostgresServer(null);
        }
        return current;
    }

    static synchronized PostgresServer version14() {
        if (version14 == null) {
            version14 = new PostgresServer((system, machine) -> binaries());
        }
        return version14;
    }

    private static InputStream binaries() throws IOException {
        try (Stream<Path> files = Files.list(VERSION_14)) {
            Path archive = files.filter(file -> file.toString().endsWith(".txz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("No archive in " + VERSION_14));
            return Files.newInputStream(archive);
        }
    }

    /** An empty database; returns its URL. */
    String create(String name) {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
            return Objects.requireNonNull(server.getJdbcUrl("postgres", name));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
