/**
 * From a stored message to moved process instances: look up, choose, deliver; and the wake-up when a subscription commits.
 *
 * <p>Comes in: a message and its channel. Goes out: an outcome, or an exception that rolls everything back. Must not
 * know: lanes, threads, retries.
 */
@NullMarked
package io.github.flowablepubsub.correlation;

import org.jspecify.annotations.NullMarked;
