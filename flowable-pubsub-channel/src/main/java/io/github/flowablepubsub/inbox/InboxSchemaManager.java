package io.github.flowablepubsub.inbox;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.flowable.common.engine.api.FlowableException;
import org.flowable.common.engine.impl.AbstractEngineConfiguration;
import org.flowable.common.engine.impl.db.AbstractSqlScriptBasedDbSchemaManager;

/**
 * Creates, upgrades, checks and drops the inbox tables with the engine's own, under its {@code database-schema-update} rules, with
 * a schema version of its own in {@code ACT_GE_PROPERTY}.
 */
public final class InboxSchemaManager extends AbstractSqlScriptBasedDbSchemaManager {

    /** Version that this jar works with. */
    static final int VERSION = 3;

    private static final String COMPONENT = "pubsub";
    private static final String VERSION_PROPERTY = "pubsub.schema.version";
    private static final String TABLE = "FLW_PUBSUB_INBOX";

    private final AbstractEngineConfiguration engine;

    /** For the engine that owns the schema: the root one. */
    public InboxSchemaManager(AbstractEngineConfiguration engine) {
        this.engine = engine;
    }

    @Override
    public String getContext() {
        return COMPONENT;
    }

    @Override
    protected String getResourcesRootDirectory() {
        return "io/github/flowablepubsub/db/";
    }

    /**
     * Called for {@code database-schema-update=false}.
     *
     * @throws FlowableException naming the script to run, when the tables are missing or of another version
     */
    @Override
    public void schemaCheckVersion() {
        String script = getResourceForDbOperation(
                "create", "create", COMPONENT, getDatabaseConfiguration().getDatabaseType());
        if (!isTablePresent(TABLE)) {
            throw new FlowableException(
                    "Table " + TABLE + " of the Pub/Sub channel is missing and database-schema-update"
                            + " is false. Run the script " + script + " from the flowable-pubsub-channel jar, or set"
                            + " database-schema-update to true.");
        }
        int found = version();
        if (found < VERSION) {
            throw new FlowableException("The Pub/Sub channel's tables have schema version " + found
                    + " but this jar needs version " + VERSION + " and database-schema-update is false. Run the script "
                    + upgrade(found) + " from the flowable-pubsub-channel jar"
                    + (found + 1 < VERSION ? " and those after it" : "") + ", or set database-schema-update to true.");
        }
        requireNotNewer(found);
    }

    private void requireNotNewer(int found) {
        if (found > VERSION) {
            throw new FlowableException("The Pub/Sub channel's tables have schema version " + found
                    + " but this jar knows only version " + VERSION + ". Use a jar that is as new as the tables.");
        }
    }

    private int version() {
        String found = getProperty(VERSION_PROPERTY);
        try {
            return Integer.parseInt(found);
        } catch (NumberFormatException e) {
            throw new FlowableException(
                    "Table " + TABLE + " is there, but property " + VERSION_PROPERTY
                            + " in ACT_GE_PROPERTY is " + found + " instead of a number up to " + VERSION
                            + ". Set it to the version of the script that created the table.",
                    e);
        }
    }

    /** The script from this version to the next one. */
    private String upgrade(int from) {
        String step = "upgradestep." + from + ".to." + (from + 1);
        return getResourceForDbOperation(
                "upgrade", step, COMPONENT, getDatabaseConfiguration().getDatabaseType());
    }

    @Override
    public void schemaCreate() {
        inLock(() -> {
            if (!isTablePresent(TABLE)) {
                executeMandatorySchemaResource("create", COMPONENT);
                return;
            }
            int found = version();
            requireNotNewer(found);
            for (int from = found; from < VERSION; from++) {
                executeSchemaResource("upgrade", COMPONENT, upgrade(from), false);
            }
        });
    }

    @Override
    public void schemaDrop() {
        try {
            if (isTablePresent(TABLE)) {
                executeMandatorySchemaResource("drop", COMPONENT);
            }
        } catch (RuntimeException e) {
            logger.info("Can't drop the Pub/Sub channel's tables: {}", e.getMessage(), e);
        }
    }

    @Override
    public String schemaUpdate() {
        schemaCreate();
        return "";
    }

    private void inLock(Runnable work) {
        if (engine.isUseLockForDatabaseSchemaUpdate()) {
            engine.getLockManager("pubsubDbSchemaLock").waitForLockRunAndRelease(engine.getSchemaLockWaitTime(), () -> {
                work.run();
                return null;
            });
        } else {
            work.run();
        }
    }

    /** Adds the table prefix, which Flowable's own scripts leave to the user. */
    @Override
    protected void executeSchemaResource(String operation, String component, String resourceName, InputStream script) {
        try {
            String prefix = getDatabaseConfiguration().getDatabaseTablePrefix();
            String sql = new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll(
                            "(table|table if not exists|on|into|from|update) (FLW_PUBSUB|ACT_GE)_",
                            "$1 " + prefix + "$2_");
            if (prefix.endsWith(".")) { // an index is made in its table's schema, but dropped by its full name
                sql = sql.replaceAll("drop index (if exists )?FLW_PUBSUB_", "drop index $1" + prefix + "FLW_PUBSUB_");
            } else {
                sql = sql.replaceAll("index (if (?:not )?exists )?FLW_PUBSUB_", "index $1" + prefix + "FLW_PUBSUB_");
            }
            InputStream prefixed = new ByteArrayInputStream(sql.getBytes(StandardCharsets.UTF_8));
            super.executeSchemaResource(operation, component, resourceName, prefixed);
        } catch (IOException e) {
            throw new UncheckedIOException("Can't read " + resourceName + " from the jar", e);
        }
    }
}
