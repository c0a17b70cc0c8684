package io.github.flowablepubsub.servertest;

import com.google.pubsub.v1.SubscriberGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.MethodDescriptor;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a client opens a streaming pull: more than once means that it gave one up. */
final class StreamCounter implements ClientInterceptor {

    private final AtomicInteger opened = new AtomicInteger();

    int opened() {
        return opened.get();
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
        if (method.getFullMethodName()
                .equals(SubscriberGrpc.getStreamingPullMethod().getFullMethodName())) {
            opened.incrementAndGet();
        }
        return next.newCall(method, options);
    }
}
