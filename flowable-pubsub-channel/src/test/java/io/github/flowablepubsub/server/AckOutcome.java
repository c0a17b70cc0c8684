package io.github.flowablepubsub.server;

/** What became of an ack, or of a changed deadline. */
enum AckOutcome {
    DONE(""),
    /** The ack id has expired, was superseded by a later delivery, or was acked before: it will never work. */
    INVALID("PERMANENT_FAILURE_INVALID_ACK_ID"),
    /** An earlier message of its ordering key is not acked yet: it may work later. Exactly-once delivery only. */
    UNORDERED("TRANSIENT_FAILURE_UNORDERED_ACK_ID"),
    /** It may work later. */
    UNAVAILABLE("TRANSIENT_FAILURE_SERVICE_UNAVAILABLE");

    private final String failure;

    AckOutcome(String failure) {
        this.failure = failure;
    }

    /** What the service calls the failure; clients tell by the prefix whether to try again. */
    String failure() {
        return failure;
    }
}
