package io.github.flowablepubsub.server;

import com.google.pubsub.v1.StreamingPullResponse.AcknowledgeConfirmation;
import com.google.pubsub.v1.StreamingPullResponse.ModifyAckDeadlineConfirmation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of each ack id of a request. Only with exactly-once delivery is the client told; otherwise acks are best
 * effort, and an ack that came too late is no error.
 */
record AckResults(boolean exactlyOnce, Map<String, AckOutcome> outcomes) {

    /** Throws the error of the service if the client has to know that something failed. */
    void requireDone() {
        Map<String, String> failures = new LinkedHashMap<>();
        outcomes.forEach((ackId, outcome) -> {
            if (outcome != AckOutcome.DONE) {
                failures.put(ackId, outcome.failure());
            }
        });
        if (exactlyOnce && !failures.isEmpty()) {
            throw Errors.ackIdsFailed(failures);
        }
    }

    AcknowledgeConfirmation ofAcks() {
        return AcknowledgeConfirmation.newBuilder()
                .addAllAckIds(with(AckOutcome.DONE))
                .addAllInvalidAckIds(with(AckOutcome.INVALID))
                .addAllUnorderedAckIds(with(AckOutcome.UNORDERED))
                .addAllTemporaryFailedAckIds(with(AckOutcome.UNAVAILABLE))
                .build();
    }

    ModifyAckDeadlineConfirmation ofDeadlines() {
        return ModifyAckDeadlineConfirmation.newBuilder()
                .addAllAckIds(with(AckOutcome.DONE))
                .addAllInvalidAckIds(with(AckOutcome.INVALID))
                .addAllTemporaryFailedAckIds(with(AckOutcome.UNAVAILABLE))
                .build();
    }

    private List<String> with(AckOutcome wanted) {
        return outcomes.entrySet().stream()
                .filter(entry -> entry.getValue() == wanted)
                .map(Map.Entry::getKey)
                .toList();
    }
}
