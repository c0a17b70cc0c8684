/** The Admin UI in a browser, against the sample. */
@NullMarked
package io.github.flowablepubsub.sample.adminui;

import org.jspecify.annotations.NullMarked;
