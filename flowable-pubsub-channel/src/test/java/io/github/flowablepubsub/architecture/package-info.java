/** The rules of the code base, as tests. */
@NullMarked
package io.github.flowablepubsub.architecture;

import org.jspecify.annotations.NullMarked;
