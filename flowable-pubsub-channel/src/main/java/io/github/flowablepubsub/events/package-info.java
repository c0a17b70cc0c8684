/**
 * What the plugin tells the app: events, and numbers for metrics.
 *
 * <p>Comes in: what was committed, from all other packages. Goes out: events to listeners, on a thread of their own; numbers to
 * whoever measures. Must not know: who tells, Micrometer, Spring.
 */
@NullMarked
package io.github.flowablepubsub.events;

import org.jspecify.annotations.NullMarked;
