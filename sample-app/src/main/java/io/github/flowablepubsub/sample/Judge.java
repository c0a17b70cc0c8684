package io.github.flowablepubsub.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Compares what is with what should be, strictly. */
@Component
class Judge {

    private final Inbox inbox;
    private final Orders orders;
    private final Invoices invoices;
    private final Surroundings surroundings;

    Judge(Inbox inbox, Orders orders, Invoices invoices, Surroundings surroundings) {
        this.inbox = inbox;
        this.orders = orders;
        this.invoices = invoices;
        this.surroundings = surroundings;
    }

    /** Everything that is not as it should be; empty when all is well. */
    List<String> deviations(Ending ending) {
        List<String> all = new ArrayList<>(ending.deviations());
        ending.messages().forEach(expected -> message(expected, all));
        ending.orders().forEach(expected -> order(expected, all));
        if (surroundings.fresh() && inbox.count() != ending.messages().size()) {
            all.add("the inbox holds " + inbox.count() + " messages, expected "
                    + ending.messages().size());
        }
        if (surroundings.unacked() > 0) {
            all.add(surroundings.unacked() + " messages are not acked");
        }
        return all;
    }

    private void message(Ending.OfMessage expected, List<String> all) {
        String name = "message " + expected.messageId();
        Optional<Inbox.Message> found = inbox.find(expected.messageId());
        if (found.isEmpty()) {
            all.add(name + " is missing");
            return;
        }
        Inbox.Message actual = found.get();
        compare(name + " state", expected.state(), actual.state(), all);
        compare(name + " reason", expected.reason(), actual.reason(), all);
        // Pub/Sub itself may deliver a message twice at any time; the server in this process does not.
        if (surroundings.server().isPresent() || actual.duplicates() < expected.duplicates()) {
            compare(name + " duplicates", expected.duplicates(), actual.duplicates(), all);
        }
    }

    private void order(Ending.OfOrder expected, List<String> all) {
        String name = "order " + expected.auftragId();
        Invoices.Invoice invoice = invoices.find(expected.auftragId()).orElse(null);
        compare(
                name + " invoiced positions",
                expected.positionen(),
                invoice == null ? null : invoice.positionen(),
                all);
        compare(name + " process", expected.progress(), orders.progress(expected.auftragId()), all);
        if (invoice != null) {
            compare(name + " times invoiced", 1, invoice.aufrufe(), all);
        }
    }

    private static void compare(String what, @Nullable Object expected, @Nullable Object actual, List<String> all) {
        if (!Objects.equals(expected, actual)) {
            all.add(what + ": is " + text(actual) + ", expected " + text(expected));
        }
    }

    private static Object text(@Nullable Object value) {
        return value == null ? "none" : value;
    }
}
