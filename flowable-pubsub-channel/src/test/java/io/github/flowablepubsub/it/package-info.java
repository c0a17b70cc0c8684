/** The whole plugin: real engine, real database, real Pub/Sub client over gRPC. */
@NullMarked
package io.github.flowablepubsub.it;

import org.jspecify.annotations.NullMarked;
