package io.github.flowablepubsub.sample;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How everything must end, filled while the story goes on. Confined to its thread. */
final class Ending {

    /**
     * How a message must end.
     *
     * @param duplicates how often it was delivered once more
     * @param words what happened to it
     */
    record OfMessage(String messageId, String state, @Nullable String reason, int duplicates, String words) {}

    /**
     * How an order must end.
     *
     * @param positionen on its one invoice; null for an order that has none
     * @param progress whether it has ended, is open, or was never placed here
     * @param words what happened to it
     */
    record OfOrder(String auftragId, @Nullable Integer positionen, Progress progress, String words) {}

    /** Where an order's process is. */
    enum Progress {
        NONE,
        OPEN,
        ENDED
    }

    private final List<OfMessage> messages = new ArrayList<>();
    private final List<OfOrder> orders = new ArrayList<>();
    private final List<String> deviations = new ArrayList<>();

    void delivered(String messageId, int duplicates, String words) {
        messages.add(new OfMessage(messageId, "DONE", null, duplicates, words));
    }

    void parked(String messageId, String reason, String words) {
        messages.add(new OfMessage(messageId, "PARKED", reason, 0, words));
    }

    void invoiced(String auftragId, int positionen, String words) {
        orders.add(new OfOrder(auftragId, positionen, Progress.ENDED, words));
    }

    void unknown(String auftragId, String words) {
        orders.add(new OfOrder(auftragId, null, Progress.NONE, words));
    }

    void open(String auftragId, String words) {
        orders.add(new OfOrder(auftragId, null, Progress.OPEN, words));
    }

    /** Something on the way was not as it should be. */
    void deviation(String what) {
        deviations.add(what);
    }

    List<OfMessage> messages() {
        return messages;
    }

    List<OfOrder> orders() {
        return orders;
    }

    List<String> deviations() {
        return deviations;
    }
}
