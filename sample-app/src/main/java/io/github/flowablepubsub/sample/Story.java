package io.github.flowablepubsub.sample;

import io.github.flowablepubsub.server.PubSubServer;
import org.springframework.stereotype.Component;

/** The story: provokes what can happen to a message, one chapter each. */
@Component
class Story {

    private final Stage stage;
    private final ServiceProvider provider;
    private final Orders orders;
    private final Inbox inbox;
    private final Surroundings surroundings;
    private final String timeToLive;
    private final boolean leaveAmbiguous;

    Story(
            Stage stage,
            ServiceProvider provider,
            Orders orders,
            Inbox inbox,
            Surroundings surroundings,
            SampleProperties properties) {
        this.stage = stage;
        this.provider = provider;
        this.orders = orders;
        this.inbox = inbox;
        this.surroundings = surroundings;
        this.timeToLive = properties.timeToLive().toSeconds() + " s";
        this.leaveAmbiguous = properties.leaveAmbiguous();
    }

    /**
     * Plays all chapters.
     *
     * @param deadline as {@link System#nanoTime()}
     * @throws Watch.NotInTime when something does not come
     */
    void play(Ending ending, long deadline) {
        String order = surroundings.orderPrefix();
        stage.begin(ending, deadline);
        twice(ending, order + "1001");
        unknownOrder(ending, order + "9999");
        allGoesWell(ending, order + "1002", order + "1003", order + "1004");
        overtaking(ending, order + "1005");
        unreadable(ending);
        doubleToken(ending, order + "1006");
        if (leaveAmbiguous) {
            leftForYou(ending, order + "1007");
        }
        stage.end();
    }

    private void twice(Ending ending, String order) {
        stage.chapter("A completion is delivered twice");
        orders.start(order, 3000);
        ending.invoiced(order, 3000, "its completion came twice, its invoice did not");
        String message = stage.answerTo(order);
        PubSubServer server = surroundings.server().orElse(null);
        ending.delivered(
                message, server == null ? 0 : 1, server == null ? "delivered" : "delivered; came twice, counted");
        stage.awaitMessage(message, "DONE", null);
        stage.awaitInvoice(order);
        stage.say("Order %s: handed over, completed, invoiced.", order);
        if (server == null) {
            publishAgain(ending, order);
        } else {
            stage.awaitAcks();
            server.redeliver(surroundings.subscription());
            stage.awaitDuplicate(message);
            stage.say("Pub/Sub delivers the message again: recognised by its id, counted, acked.");
        }
    }

    /** A service can't be asked to deliver an acked message again. */
    private void publishAgain(Ending ending, String order) {
        String again = provider.complete(order, 3000);
        ending.parked(again, "NO_MATCH", "same text again, order is through");
        stage.say("This Pub/Sub can't be made to deliver a message twice, so the same text is published again.");
        stage.say("That is a new message with a new id: it finds nobody any more, and is parked in the end.");
    }

    private void unknownOrder(Ending ending, String order) {
        stage.chapter("A completion for an order that nobody knows");
        ending.unknown(order, "was never placed here");
        String message = provider.complete(order, 7);
        ending.parked(message, "NO_MATCH", "nobody waited for it within " + timeToLive);
        stage.awaitMessage(message, "WAITING", "NO_MATCH");
        stage.say("Order %s: its completion waits, at most %s (time to live of the channel).", order, timeToLive);
    }

    private void allGoesWell(Ending ending, String... all) {
        stage.chapter("All goes well");
        for (int i = 0; i < all.length; i++) {
            orders.start(all[i], 1000 * (i + 1));
            ending.invoiced(all[i], 1000 * (i + 1), "all went well");
        }
        for (String order : all) {
            String message = stage.answerTo(order);
            ending.delivered(message, 0, "delivered");
            stage.awaitMessage(message, "DONE", null);
            stage.say("Order %s: handed over, completed.", order);
        }
    }

    private void overtaking(Ending ending, String order) {
        stage.chapter("A completion overtakes its process");
        provider.keepQuietAbout(order);
        String message = provider.complete(order, 450);
        ending.delivered(message, 0, "came first, waited for its order");
        ending.invoiced(order, 450, "its completion came before it waited for it");
        stage.awaitMessage(message, "WAITING", "NO_MATCH");
        stage.say("Order %s: its completion is here, its process is not started: the message waits.", order);
        orders.start(order, 450);
        stage.awaitMessage(message, "DONE", null);
        stage.say("The process is started, its subscription commits, and the message is delivered.");
    }

    private void unreadable(Ending ending) {
        stage.chapter("A message that nobody can read");
        String message = provider.send("Auftrag fertig, Gruesse vom Dienstleister");
        ending.parked(message, "UNREADABLE", "not JSON; kept as it came");
        stage.awaitMessage(message, "PARKED", "UNREADABLE");
        stage.say("Not JSON: parked as it came. Nothing behind it is held up.");
    }

    private void doubleToken(Ending ending, String order) {
        stage.chapter("A double token, left behind by a repair by hand");
        ending.invoiced(order, 8000, "was open with two tokens until the repair");
        String message = completeWithTwoTokens(order, 8000);
        ending.delivered(message, 0, "was AMBIGUOUS, repaired by SQL");
        Inbox.Message parked = stage.awaitMessage(message, "PARKED", "AMBIGUOUS");
        stage.sayOpen(order);
        stage.checkNamesTokens(parked, order);
        stage.say("Its completion is parked, not lost, and names both tokens (column LAST_ERROR_).");
        orders.mergeTokens(order);
        stage.awaitTokens(order, 1);
        stage.say("Repair: one token is removed, then one line of SQL:");
        stage.say("  %s", inbox.reopen(parked));
        stage.awaitMessage(message, "DONE", null);
        stage.say("Order %s: completed.", order);
    }

    private void leftForYou(Ending ending, String order) {
        stage.chapter("Another double token, left for you");
        ending.open(order, "open with two tokens, until you repair it");
        String message = completeWithTwoTokens(order, 5000);
        ending.parked(message, "AMBIGUOUS", "two tokens wait for it, until you repair it");
        stage.awaitMessage(message, "PARKED", "AMBIGUOUS");
        stage.sayOpen(order);
        stage.say("Its completion is parked: row of message %s in FLW_PUBSUB_INBOX, and a dead-letter job.", message);
    }

    /** Returns the message id of the completion. */
    private String completeWithTwoTokens(String order, int positionen) {
        provider.keepQuietAbout(order);
        orders.start(order, positionen);
        stage.awaitTokens(order, 1);
        orders.handOverAgain(order);
        stage.awaitTokens(order, 2);
        stage.say("Order %s: an operator handed it over again; now two tokens wait for one completion.", order);
        return provider.complete(order, positionen);
    }
}
