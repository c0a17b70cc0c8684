/**
 * Puts the parts together and hooks them into a Flowable engine, with or without Spring.
 *
 * <p>Comes in: an engine's configuration and this plugin's settings. Goes out: a running channel type. Nobody but the
 * starter depends on it.
 */
@NullMarked
package io.github.flowablepubsub.engine;

import org.jspecify.annotations.NullMarked;
