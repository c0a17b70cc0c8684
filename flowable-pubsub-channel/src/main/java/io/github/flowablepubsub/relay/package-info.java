/**
 * From the inbox into the engine: which lane is due, who works on it, and what is written afterwards.
 *
 * <p>Comes in: lanes, from the store, from sweeps over the table and from wake-ups. Goes out: changed rows and moved
 * instances, one transaction a message. Messages that have no row before their correlation come in with the way to answer them. Must not know: Pub/Sub.
 */
@NullMarked
package io.github.flowablepubsub.relay;

import org.jspecify.annotations.NullMarked;
