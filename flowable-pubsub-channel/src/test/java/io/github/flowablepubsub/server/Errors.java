package io.github.flowablepubsub.server;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.util.Map;

/** The errors of the service. */
final class Errors {

    private Errors() {}

    static StatusRuntimeException invalid(String description) {
        return Status.INVALID_ARGUMENT.withDescription(description).asRuntimeException();
    }

    static StatusRuntimeException outOfRange(String description) {
        return Status.OUT_OF_RANGE.withDescription(description).asRuntimeException();
    }

    static StatusRuntimeException exists(String name) {
        return Status.ALREADY_EXISTS
                .withDescription("Resource already exists in the project (resource=" + name + ").")
                .asRuntimeException();
    }

    /** As the service, tells the clients of exactly-once delivery what became of which ack id. */
    static StatusRuntimeException ackIdsFailed(Map<String, String> failures) {
        ErrorInfo details = ErrorInfo.newBuilder()
                .setReason("EXACTLY_ONCE_ACKID_FAILURE")
                .setDomain("pubsub.googleapis.com")
                .putAllMetadata(failures)
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Status.Code.INVALID_ARGUMENT.value())
                .setMessage("Some acknowledgement ids in the request failed: " + failures)
                .addDetails(Any.pack(details))
                .build());
    }

    static Status notFound(String name) {
        return Status.NOT_FOUND.withDescription("Resource not found (resource=" + name + ").");
    }

    static StatusRuntimeException unsupported(String field) {
        return Status.UNIMPLEMENTED
                .withDescription(field + " is not supported by this in-process Pub/Sub server")
                .asRuntimeException();
    }
}
