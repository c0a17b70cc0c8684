/**
 * The sample: an order process that waits for the completion of its order, a simulated service provider that publishes it
 * to Pub/Sub, and a story that provokes what can happen to a message.
 *
 * <p>Comes in: application properties. Goes out: a story on the terminal, and an exit code.
 */
@NullMarked
package io.github.flowablepubsub.sample;

import org.jspecify.annotations.NullMarked;
