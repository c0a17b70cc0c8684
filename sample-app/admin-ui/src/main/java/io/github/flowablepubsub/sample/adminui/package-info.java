/**
 * Flowable's Admin UI, put together from what Maven Central has, for a look at the sample.
 *
 * <p>Comes in: where the sample's REST API is. Goes out: web pages.
 */
@NullMarked
package io.github.flowablepubsub.sample.adminui;

import org.jspecify.annotations.NullMarked;
