package io.github.flowablepubsub.sample;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** What the user sees before and after the story, on the terminal. ASCII, as not every terminal has more. */
@Component
class Report {

    private final Inbox inbox;
    private final Orders orders;
    private final Invoices invoices;
    private final Surroundings surroundings;
    private final List<Hint> hints;
    private final PrintStream out = System.out;

    Report(Inbox inbox, Orders orders, Invoices invoices, Surroundings surroundings, List<Hint> hints) {
        this.inbox = inbox;
        this.orders = orders;
        this.invoices = invoices;
        this.surroundings = surroundings;
        this.hints = hints;
    }

    void begin() {
        out.printf("%nFlowable Pub/Sub channel: what can happen to a message%n%n");
        out.printf("    Pub/Sub   %s%n", surroundings.pubSub());
        out.printf("              %s%n", surroundings.topicAndSubscription());
        out.printf("    Database  %s%n", surroundings.database());
        out.printf("    Engine    %s, process %s%n", surroundings.engine(), Orders.PROCESS);
    }

    void result(Ending ending, List<String> deviations, Duration took) {
        out.printf("%nWhat became of each message (table FLW_PUBSUB_INBOX)%n%n%s", messages(ending));
        out.printf("%nWhat became of each order%n%n%s%n", orders(ending));
        if (deviations.isEmpty()) {
            out.printf(
                    "All %d messages and %d orders ended as they should, after %.1f s.%n",
                    ending.messages().size(), ending.orders().size(), took.toMillis() / 1000.0);
        } else {
            out.printf("NOT as it should be (after %.1f s):%n", took.toMillis() / 1000.0);
            deviations.forEach(deviation -> out.printf("  - %s%n", deviation));
        }
    }

    /** For those who stay. */
    void look() {
        out.printf("%nThe app stays up for a look; Ctrl+C stops it.%n%n");
        out.printf("    Health    %s%n", surroundings.healthUrl());
        if (surroundings.database().startsWith("jdbc:h2:mem:")) {
            out.printf("    Database  in memory, gone with the app. To look into it with an SQL client, start with%n");
            out.printf("              SPRING_DATASOURCE_URL='jdbc:h2:/tmp/flowable-pubsub-sample;AUTO_SERVER=TRUE'%n");
            out.printf("              (user sa, no password), or with the URL of a PostgreSQL database.%n");
        } else {
            out.printf("    Database  %s%n", surroundings.database());
        }
        out.printf("    Tables    FLW_PUBSUB_INBOX, rechnung, ACT_*%n");
        hints.forEach(hint -> hint.lines().forEach(line -> out.printf("    %s%n", line)));
    }

    private String messages(Ending ending) {
        Table table = new Table("message", "event", "key", "state", "reason", "tries", "dupl.", "in plain words");
        for (Ending.OfMessage expected : ending.messages()) {
            inbox.find(expected.messageId())
                    .ifPresentOrElse(
                            m -> table.row(
                                    expected.messageId(),
                                    text(m.event()),
                                    text(m.key()),
                                    m.state(),
                                    text(m.reason()),
                                    m.attempts(),
                                    m.duplicates(),
                                    asExpected(expected, m)),
                            () -> table.row(expected.messageId(), "-", "-", "MISSING", "-", 0, 0, "not in the inbox"));
        }
        return table.print();
    }

    private static String asExpected(Ending.OfMessage expected, Inbox.Message actual) {
        return expected.state().equals(actual.state()) ? expected.words() : "should be " + expected.state();
    }

    private String orders(Ending ending) {
        Table table = new Table("order", "process", "invoice", "positions", "in plain words");
        for (Ending.OfOrder expected : ending.orders()) {
            String order = expected.auftragId();
            Invoices.Invoice invoice = invoices.find(order).orElse(null);
            String process = orders.progress(order).name().toLowerCase(Locale.ROOT);
            table.row(order, process, times(invoice), invoice == null ? "-" : invoice.positionen(), expected.words());
        }
        return table.print();
    }

    private static String times(Invoices.@Nullable Invoice invoice) {
        if (invoice == null) {
            return "none";
        }
        return invoice.aufrufe() == 1 ? "invoiced once" : "INVOICED " + invoice.aufrufe() + " TIMES";
    }

    private static String text(@Nullable String value) {
        return value == null ? "-" : value;
    }
}
