/**
 * The inbox table: rows in, rows out, in the engine's own transactions.
 *
 * <p>Comes in: messages to store, guarded state changes. Goes out: the next row of a lane, lanes with due work. Must not
 * know: Pub/Sub, the event registry, policy. It imports no other package of this project.
 */
@NullMarked
package io.github.flowablepubsub.inbox;

import org.jspecify.annotations.NullMarked;
