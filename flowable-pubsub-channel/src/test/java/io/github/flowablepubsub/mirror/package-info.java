/** Tests of what jobs show of messages. */
@NullMarked
package io.github.flowablepubsub.mirror;

import org.jspecify.annotations.NullMarked;
