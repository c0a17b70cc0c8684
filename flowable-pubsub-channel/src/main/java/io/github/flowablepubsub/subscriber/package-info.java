/**
 * From Pub/Sub into the inbox: receive, store, commit, ack. In this order, whatever happens (rule R1).
 *
 * <p>Comes in: messages of the client library. Goes out: stored rows, acks and nacks, lanes that have something new. Must
 * not know: processes, correlation, retries.
 */
@NullMarked
package io.github.flowablepubsub.subscriber;

import org.jspecify.annotations.NullMarked;
