/**
 * The databases that tests run on: real servers, one of a kind for the JVM, started when first asked for and stopped with
 * it.
 */
@NullMarked
package io.github.flowablepubsub.testdb;

import org.jspecify.annotations.NullMarked;
