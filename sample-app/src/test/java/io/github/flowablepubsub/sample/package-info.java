/** The story as users see it: real engine, real database, real client over gRPC. */
@NullMarked
package io.github.flowablepubsub.sample;

import org.jspecify.annotations.NullMarked;
