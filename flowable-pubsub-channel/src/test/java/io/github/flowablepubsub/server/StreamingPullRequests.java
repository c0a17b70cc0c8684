package io.github.flowablepubsub.server;

import com.google.pubsub.v1.StreamingPullRequest;

/** What the requests on a stream may and may not contain. */
final class StreamingPullRequests {

    private static final long KEEP_ALIVE_PROTOCOL = 1;

    private StreamingPullRequests() {}

    static void requireInitial(StreamingPullRequest request) {
        if (request.getSubscription().isEmpty()) {
            throw Errors.invalid("The initial request on a stream must name the subscription");
        }
        Limits.requireAckDeadline(request.getStreamAckDeadlineSeconds());
    }

    static void requireSubsequent(StreamingPullRequest request) {
        if (!request.getSubscription().isEmpty()
                || request.getMaxOutstandingMessages() != 0
                || request.getMaxOutstandingBytes() != 0
                || request.getProtocolVersion() != 0) {
            throw Errors.invalid("subscription, max_outstanding_messages, max_outstanding_bytes and protocol_version"
                    + " can only be set on the initial request of a stream");
        }
    }

    static boolean asksForKeepAlive(StreamingPullRequest initial) {
        return initial.getProtocolVersion() >= KEEP_ALIVE_PROTOCOL;
    }

    static boolean isPing(StreamingPullRequest request) {
        return request.equals(StreamingPullRequest.getDefaultInstance());
    }
}
