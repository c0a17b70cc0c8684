/**
 * Benchmarks: programs that print one table each, see {@code docs/benchmarks.md}. Compiled and run under the Maven profile
 * {@code bench} only.
 */
@NullMarked
package io.github.flowablepubsub.bench;

import org.jspecify.annotations.NullMarked;
