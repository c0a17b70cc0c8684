package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.inbox.EvidenceMapper;
import io.github.flowablepubsub.inbox.InboxRow;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What is known of the key of a message that is parked because nobody took it, in words. */
record KnownOfKey(Correlator correlator) {

    /** Where nothing is parked for want of a receiver. */
    static final Supplier<String> NOT_ASKED = () -> "";

    /** Reads in the running transaction. */
    String of(InboxSession session, InboxRow row, RegisteredChannel channel) {
        List<String> found = new ArrayList<>();
        if (row.correlationKey() != null && row.eventKey() != null) {
            List<EvidenceMapper.Delivered> delivered = session.evidence().delivered(row, EvidenceMapper.NEWEST);
            if (!delivered.isEmpty()) {
                EvidenceMapper.Delivered newest = delivered.get(0);
                found.add("message " + newest.messageId() + " of this event and key was delivered on "
                        + newest.finishedAt() + " (row " + newest.id() + ")");
            }
        }
        if (!row.cleared()) {
            found.addAll(correlator.known(channel, row.incoming()));
        }
        String key = Keys.printable(String.valueOf(row.correlationKey()));
        return found.isEmpty()
                ? "Nothing is known of key " + key
                        + ": no process instance has it as business key, none waits for another"
                        + " event with it, and no message of this event was delivered with it"
                : "Known of key " + key + ": " + String.join("; ", found);
    }
}
