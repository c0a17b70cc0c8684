package io.github.flowablepubsub.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

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

    static Status notFound(String name) {
        return Status.NOT_FOUND.withDescription("Resource not found (resource=" + name + ").");
    }

    static StatusRuntimeException unsupported(String field) {
        return Status.UNIMPLEMENTED
                .withDescription(field + " is not supported by this in-process Pub/Sub server")
                .asRuntimeException();
    }
}
