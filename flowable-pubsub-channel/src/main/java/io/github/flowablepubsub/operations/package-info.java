/**
 * Keeps the tables small, and shows operators what is in them.
 *
 * <p>Comes in: the channels that this node knows. Goes out: cleared and removed rows, in small transactions of their own; messages
 * and explanations.
 * Must not know: Pub/Sub, the relay, the engine.
 */
@NullMarked
package io.github.flowablepubsub.operations;

import org.jspecify.annotations.NullMarked;
