/**
 * Parked rows as jobs of the engine, so that every Flowable admin tool shows them and can act on them.
 *
 * <p>Comes in: rows that the relay has changed, jobs that were moved, run or deleted. Goes out: dead-letter jobs, in the
 * transaction that parks; repaired and discarded rows, in the transaction of the job. Must not know: Pub/Sub, correlation,
 * who relays.
 */
@NullMarked
package io.github.flowablepubsub.mirror;

import org.jspecify.annotations.NullMarked;
