/** Tests of the in-process Pub/Sub server through the real clients; the contract also runs against the emulator. */
@org.jspecify.annotations.NullMarked
package io.github.flowablepubsub.servertest;
