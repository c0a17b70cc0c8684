package io.github.flowablepubsub.server;

import java.util.Collection;

/** The ack ids of one subscription: opaque for clients, recognisable for the server. */
final class AckIds {

    private static final String PREFIX = "ack-";

    // An ack id of another subscription, or of an earlier server, must not ack anything here.
    private final String prefix = PREFIX + MessageIds.next() + "-";

    String of(long number) {
        return prefix + number;
    }

    static void requireSome(Collection<String> ackIds) {
        if (ackIds.isEmpty()) {
            throw Errors.invalid("No ack ids specified");
        }
    }

    /** As the service, tells ids that have expired, which are fine, from ids that it never made. */
    static void requireWellFormed(Collection<String> ackIds) {
        for (String ackId : ackIds) {
            if (!ackId.startsWith(PREFIX)) {
                throw Errors.invalid("Malformed acknowledgement ID: \"" + ackId + "\"");
            }
        }
    }
}
