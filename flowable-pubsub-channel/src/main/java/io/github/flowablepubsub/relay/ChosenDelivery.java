package io.github.flowablepubsub.relay;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.correlation.Correlator;
import io.github.flowablepubsub.inbox.Attributes;
import io.github.flowablepubsub.inbox.InboxMessage;
import io.github.flowablepubsub.inbox.InboxSession;
import io.github.flowablepubsub.inbox.Incoming;
import io.github.flowablepubsub.inbox.MessageState;
import io.github.flowablepubsub.inbox.Payload;
import io.github.flowablepubsub.inbox.RetentionMapper.Content;
import io.github.flowablepubsub.inbox.RowChange;
import io.github.flowablepubsub.mirror.Mirrors;
import io.github.flowablepubsub.relay.RepairResult.Done;
import io.github.flowablepubsub.relay.RepairResult.NotAsSeen;
import io.github.flowablepubsub.relay.RepairResult.Refused;

/**
 * Delivers a parked message to the receiver that a person has chosen: opened, delivered and {@code DONE} in one transaction
 * (rule R2), under the lock of its lane (rule R4). Thread safe.
 */
record ChosenDelivery(ChannelRegistry channels, Correlator correlator, Mirrors mirrors) {

    private static final RowChange DELIVERED = new RowChange(MessageState.DONE, null, null, null, null, null);

    /** Within the transaction; nothing may be committed unless it returns {@link Done}. */
    RepairResult run(InboxSession session, InboxMessage row, String receiver, String by) {
        RegisteredChannel channel = channels.find(row.channel()).orElse(null);
        if (row.state() != MessageState.PARKED) {
            return new Refused(
                    row.id(), "It is " + row.state() + "; only a parked message is delivered to whom one has chosen");
        }
        if (channel == null) {
            return new Refused(
                    row.id(), "This node knows no channel " + row.channel() + ": deploy it, or use a node that has it");
        }
        if (row.cleared()) {
            return new Refused(
                    row.id(), "Its body was cleared after policy.retention.payload; have the publisher send it again");
        }
        Content content = session.looks().content(row.id());
        if (content == null || session.repairs().open(row.seen(), by) != 1) {
            return new NotAsSeen(row.id(), null);
        }
        byte[] body = new Payload(content.payload(), content.payloadBytes()).toBytes();
        Incoming message = new Incoming(
                body, Attributes.fromJson(content.attributes()), row.messageId(), row.orderingKey(), row.publishedAt());
        correlator.deliverTo(channel, message, receiver);
        mirrors.forget(session, row.id());
        if (session.lanes().change(row.id(), 0, DELIVERED) != 1) {
            return new NotAsSeen(row.id(), null);
        }
        Repair.letGo(session, row.lane(), channel);
        return new Done(row.id(), MessageState.DONE);
    }
}
