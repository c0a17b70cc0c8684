/** Proofs by crash, race and volume: killed JVMs, forced interleavings, databases that go away. */
@NullMarked
package io.github.flowablepubsub.crash;

import org.jspecify.annotations.NullMarked;
