/**
 * A small Google Pub/Sub in this process, for tests and demos: gRPC calls of any Pub/Sub client come in, messages of the
 * subscriptions go out. State lives in memory and ends with the server.
 */
@org.jspecify.annotations.NullMarked
package io.github.flowablepubsub.server;
