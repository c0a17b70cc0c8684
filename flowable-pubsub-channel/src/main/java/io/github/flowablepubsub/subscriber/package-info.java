/**
 * From Pub/Sub into the inbox: receive, store, commit, ack. In this order, whatever happens (rule R1). With {@code policy.ack:
 * afterCorrelation} the store is left to whoever correlates, and the ack waits for that.
 *
 * <p>Comes in: messages of the client library. Goes out: stored rows, acks and nacks, lanes that have something new. Must
 * not know: processes, correlation, retries.
 */
@NullMarked
package io.github.flowablepubsub.subscriber;

import org.jspecify.annotations.NullMarked;
