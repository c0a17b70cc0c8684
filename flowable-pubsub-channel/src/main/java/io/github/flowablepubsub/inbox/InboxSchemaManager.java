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
 * Creates, checks and drops the inbox tables with the engine's own, under its {@code database-schema-update} rules, with
 * a schema version of its own in {@code ACT_GE_PROPERTY}.
 */
public final class InboxSchemaManager extends AbstractSqlScriptBasedDbSchemaManager {

    /** Version that this jar works with. */
    static final String VERSION = "1";

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
        String found = getProperty(VERSION_PROPERTY);
        if (!VERSION.equals(found)) {
            throw new FlowableException("The Pub/Sub channel's tables have schema version " + found
                    + " but this jar needs version " + VERSION
                    + ". Use the jar that fits, or upgrade with the scripts beside " + script + ".");
        }
    }

    @Override
    public void schemaCreate() {
        inLock(() -> {
            if (isTablePresent(TABLE)) {
                schemaCheckVersion();
            } else {
                executeMandatorySchemaResource("create", COMPONENT);
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
                    .replaceAll("(table|on|into|from) (FLW_PUBSUB|ACT_GE)_", "$1 " + prefix + "$2_");
            if (!prefix.endsWith(".")) {
                sql = sql.replaceAll("index FLW_PUBSUB_", "index " + prefix + "FLW_PUBSUB_");
            }
            InputStream prefixed = new ByteArrayInputStream(sql.getBytes(StandardCharsets.UTF_8));
            super.executeSchemaResource(operation, component, resourceName, prefixed);
        } catch (IOException e) {
            throw new UncheckedIOException("Can't read " + resourceName + " from the jar", e);
        }
    }
}
