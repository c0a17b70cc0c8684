/**
 * Flowable's process REST API, closed but for one user; for Flowable's Admin UI.
 *
 * <p>Comes in: {@code sample.rest.*}, requests. Goes out: who may call what, and a hint on the terminal. In the build with
 * Flowable 7.2 only, as the registry has no REST API for 8.0.
 */
@NullMarked
package io.github.flowablepubsub.sample.rest;

import org.jspecify.annotations.NullMarked;
