package io.github.flowablepubsub.inbox;

import java.sql.Connection;
import java.util.List;
import org.flowable.common.engine.impl.db.DbSqlSession;

/**
 * The app's own work in the plugin's transactions.
 *
 * @param store in those that store
 * @param archive in those that clear and remove
 */
public record Hooks(StoreHook store, ArchiveHook archive) {

    /** None. */
    public static final Hooks NONE = new Hooks(StoreHook.NONE, ArchiveHook.NONE);

    /** Several of each, called in their order. */
    public static Hooks of(List<StoreHook> store, List<ArchiveHook> archive) {
        return new Hooks(
                store.isEmpty()
                        ? StoreHook.NONE
                        : (messages, connection) -> {
                            for (StoreHook hook : store) {
                                hook.storing(messages, connection);
                            }
                        },
                archive.isEmpty()
                        ? ArchiveHook.NONE
                        : (messages, connection) -> {
                            for (ArchiveHook hook : archive) {
                                hook.archive(messages, connection);
                            }
                        });
    }

    private interface Call {
        void with(Connection connection) throws Exception;
    }

    static void storing(StoreHook hook, DbSqlSession session, List<NewMessage> messages) {
        if (hook != StoreHook.NONE && !messages.isEmpty()) {
            call("store", messages.size(), session, connection -> hook.storing(List.copyOf(messages), connection));
        }
    }

    static void archive(ArchiveHook hook, DbSqlSession session, List<FinishedMessage> messages) {
        call("archive", messages.size(), session, connection -> hook.archive(List.copyOf(messages), connection));
    }

    private static void call(String kind, int count, DbSqlSession session, Call call) {
        try {
            call.with(session.getSqlSession().getConnection());
        } catch (Exception | Error e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new HookFailedException("The app's " + kind + " hook failed with " + count + " messages", e);
        }
    }
}
