package io.github.flowablepubsub.channel;

/** {@code policy.ack}: when a message is acked (rule R1). */
public enum Ack {
    /** When its row is committed; it is correlated later. The default. */
    AFTER_STORE("afterStore"),
    /**
     * When its correlation is committed, its row with it. A rejection or failure leaves no row, is nacked, and Pub/Sub's retry
     * policy and dead-letter topic take over.
     */
    AFTER_CORRELATION("afterCorrelation");

    private final String word;

    Ack(String word) {
        this.word = word;
    }

    /** The word in the file. */
    String word() {
        return word;
    }
}
