package io.github.flowablepubsub.server;

import com.google.protobuf.Empty;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.function.Supplier;

/** Answers unary calls: a result, or the status of the error. */
final class Calls {

    private Calls() {}

    static <T> void answer(StreamObserver<T> observer, Supplier<T> work) {
        T result;
        try {
            result = work.get();
        } catch (StatusRuntimeException e) {
            observer.onError(e);
            return;
        }
        observer.onNext(result);
        observer.onCompleted();
    }

    static void run(StreamObserver<Empty> observer, Runnable work) {
        answer(observer, () -> {
            work.run();
            return Empty.getDefaultInstance();
        });
    }
}
