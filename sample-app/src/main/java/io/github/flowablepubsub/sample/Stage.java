package io.github.flowablepubsub.sample;

import java.io.PrintStream;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What the chapters of the story have in common: they wait, and they say what they see. Used by one thread. */
@Component
class Stage {

    private final Watch watch;
    private final ServiceProvider provider;
    private final Inbox inbox;
    private final Orders orders;
    private final Invoices invoices;
    private final Surroundings surroundings;
    private final PrintStream out = System.out;
    private Ending ending = new Ending();
    private long deadline;
    private int chapters;

    Stage(
            Watch watch,
            ServiceProvider provider,
            Inbox inbox,
            Orders orders,
            Invoices invoices,
            Surroundings surroundings) {
        this.watch = watch;
        this.provider = provider;
        this.inbox = inbox;
        this.orders = orders;
        this.invoices = invoices;
        this.surroundings = surroundings;
    }

    void begin(Ending expected, long until) {
        ending = expected;
        deadline = until;
        chapters = 0;
    }

    void chapter(String title) {
        chapters++;
        out.printf("%n %d  %s%n", chapters, title);
    }

    void say(String text, Object... values) {
        out.printf("    " + text + "%n", values);
    }

    /** Waits for the end of all that still goes on. */
    void end() {
        out.printf("%n    Waiting for the last messages to come to their end ...%n");
        for (Ending.OfMessage expected : ending.messages()) {
            watch.until(
                    "message " + expected.messageId() + " to be " + expected.state(),
                    deadline,
                    () -> inbox.find(expected.messageId()),
                    message -> message.filter(Inbox.Message::isSettled).isPresent());
        }
        ending.orders().stream()
                .filter(order -> order.positionen() != null)
                .forEach(order -> awaitInvoice(order.auftragId()));
        awaitAcks();
    }

    String answerTo(String order) {
        return watch.until(
                        "order " + order + " to be handed over",
                        deadline,
                        () -> provider.answerTo(order),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Waits for a state, or another from which this can't come any more: that is a deviation. */
    Inbox.Message awaitMessage(String messageId, String state, @Nullable String reason) {
        Inbox.Message found = watch.until(
                        "message " + messageId + " to be " + state,
                        deadline,
                        () -> inbox.find(messageId),
                        message -> message.filter(
                                        m -> m.isSettled() || m.state().equals(state))
                                .isPresent())
                .orElseThrow();
        if (!found.state().equals(state) || !Objects.equals(found.reason(), reason)) {
            ending.deviation("message " + messageId + " became " + found.state() + " " + found.reason()
                    + " on the way, expected " + state + " " + reason);
        }
        return found;
    }

    void awaitDuplicate(String messageId) {
        watch.until(
                "message " + messageId + " to be counted as a duplicate",
                deadline,
                () -> inbox.find(messageId),
                message -> message.filter(m -> m.duplicates() > 0).isPresent());
    }

    void awaitInvoice(String order) {
        watch.until(
                "order " + order + " to be invoiced and ended",
                deadline,
                () -> invoices.find(order).isPresent() && !orders.isRunning(order),
                done -> done);
    }

    void awaitTokens(String order, int count) {
        watch.until(
                "order " + order + " to wait with " + count + " tokens",
                deadline,
                () -> orders.waiting(order).size(),
                tokens -> tokens == count);
    }

    void awaitAcks() {
        watch.until("all messages to be acked", deadline, surroundings::unacked, count -> count == 0);
    }

    /** Says that an order is open, after a look. */
    void sayOpen(String order) {
        int tokens = orders.waiting(order).size();
        boolean open = orders.isRunning(order) && invoices.find(order).isEmpty();
        say("Order %s is %s: %d tokens wait, no invoice yet.", order, open ? "open" : "NOT OPEN", tokens);
        if (!open) {
            ending.deviation("order " + order + " was not open while its completion was parked");
        }
    }

    /** Whoever repairs must know which tokens there are. */
    void checkNamesTokens(Inbox.Message message, String order) {
        String error = Objects.requireNonNullElse(message.error(), "");
        orders.waiting(order).stream()
                .filter(token -> !error.contains(token.getId()))
                .forEach(token -> ending.deviation(
                        "LAST_ERROR_ of row " + message.id() + " does not name token " + token.getId() + ": " + error));
    }
}
