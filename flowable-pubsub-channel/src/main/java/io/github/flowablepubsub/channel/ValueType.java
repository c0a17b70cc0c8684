package io.github.flowablepubsub.channel;

/**
 * What a property may hold.
 *
 * @param <T> what it means in Java
 */
interface ValueType<T> {

    /**
     * Reads one value.
     *
     * @param value what the file says, placeholders resolved: a string, number, boolean, map or list
     * @throws Refusal saying what is allowed
     */
    T read(Object value) throws Refusal;

    /** Whether <code>${...}</code> in it is a placeholder; in Flowable's delegate expressions it is an expression. */
    default boolean takesPlaceholders() {
        return true;
    }
}
