package io.github.flowablepubsub.server;

import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import org.jspecify.annotations.Nullable;

/** The acks and deadlines in the requests of a stream. */
final class StreamAcks {

    private StreamAcks() {}

    /** Applies them; returns the response that confirms them, null if the client is not to get one. */
    static @Nullable StreamingPullResponse apply(LiveSubscription subscription, StreamingPullRequest request) {
        if (request.getModifyDeadlineAckIdsCount() != request.getModifyDeadlineSecondsCount()) {
            throw Errors.invalid("modify_deadline_ack_ids and modify_deadline_seconds differ in size");
        }
        StreamingPullResponse.Builder confirmation = StreamingPullResponse.newBuilder();
        boolean confirmed = false;
        if (request.getAckIdsCount() > 0) {
            AckResults results = subscription.acknowledge(request.getAckIdsList());
            confirmation.setAcknowledgeConfirmation(results.ofAcks());
            confirmed |= results.exactlyOnce();
        }
        if (request.getModifyDeadlineAckIdsCount() > 0) {
            AckResults results = subscription.modifyDeadlines(
                    request.getModifyDeadlineAckIdsList(), request::getModifyDeadlineSeconds);
            confirmation.setModifyAckDeadlineConfirmation(results.ofDeadlines());
            confirmed |= results.exactlyOnce();
        }
        return confirmed ? confirmation.build() : null;
    }
}
