/**
 * What can happen to a message, and what follows: sealed outcomes and one pure decision.
 *
 * <p>Comes in: an outcome, facts of the row, the channel's policy. Goes out: the row's change. Must not know: how an
 * outcome came about, and who writes the change.
 */
@NullMarked
package io.github.flowablepubsub.outcome;

import org.jspecify.annotations.NullMarked;
