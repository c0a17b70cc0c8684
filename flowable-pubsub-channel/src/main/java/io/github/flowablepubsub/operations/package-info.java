/**
 * Keeps the tables small, and shows operators what is in them.
 *
 * <p>Comes in: the channels that this node knows. Goes out: cleared and removed rows, in small transactions of their own; messages
 * and explanations.
 * What operators want done goes out to the relay's repair. Must not know: Pub/Sub, how messages are correlated, the engine.
 */
@NullMarked
package io.github.flowablepubsub.operations;

import org.jspecify.annotations.NullMarked;
