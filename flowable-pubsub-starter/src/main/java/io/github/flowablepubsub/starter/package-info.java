/**
 * Auto-configuration for Spring Boot, nothing else.
 *
 * <p>Comes in: application properties and beans. Goes out: the plugin, hooked into the app's engines, started and stopped
 * with the application context.
 */
@NullMarked
package io.github.flowablepubsub.starter;

import org.jspecify.annotations.NullMarked;
