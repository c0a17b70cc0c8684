package io.github.flowablepubsub.server;

/**
 * The holder of leased messages: one stream, or one unary pull. Keeps its flow control. Guarded by the subscription's
 * lock.
 */
final class Lessee {

    private final String clientId;
    private final long maxMessages;
    private final long maxBytes;
    private long messages;
    private long bytes;
    private boolean gone;

    /**
     * @param clientId the client's own id, empty if it has none
     * @param maxMessages how many messages may be outstanding, not limited if 0 or less
     * @param maxBytes at how many outstanding bytes it gets no more messages, not limited if 0 or less
     */
    Lessee(String clientId, long maxMessages, long maxBytes) {
        this.clientId = clientId;
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    boolean hasRoom() {
        return (maxMessages <= 0 || messages < maxMessages) && (maxBytes <= 0 || bytes < maxBytes);
    }

    void leased(int size) {
        messages++;
        bytes += size;
    }

    void released(int size) {
        messages--;
        bytes -= size;
    }

    void leave() {
        gone = true;
    }

    /** Whether it may get further messages of a key of which the other one holds some: itself, or reconnected. */
    boolean continues(Lessee holder) {
        return this == holder || (holder.gone && !clientId.isEmpty() && clientId.equals(holder.clientId));
    }
}
