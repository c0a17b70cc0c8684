package io.github.flowablepubsub.channel;

import org.jspecify.annotations.Nullable;

/** A property of the {@code .channel} file, by its path such as {@code policy.buffer.timeToLive}. */
sealed interface Property {

    String path();

    /**
     * A property that this release acts upon.
     *
     * @param defaultValue what holds where the file says nothing; null: nothing does
     */
    record Value<T>(String path, ValueType<T> type, @Nullable T defaultValue) implements Property {}

    /**
     * A property of the contract that this release does not act upon, so it is refused.
     *
     * @param instead what is available
     */
    record Later(String path, String instead) implements Property {}

    /** Policies by event key, each with properties of the table's section {@code policy}. */
    record ByEvent(String path) implements Property {}
}
