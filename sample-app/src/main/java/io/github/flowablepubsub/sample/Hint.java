package io.github.flowablepubsub.sample;

import java.util.List;

/** Something else to look at while the app stays up. A bean. */
public interface Hint {

    /** Lines for the terminal, without the margin. */
    List<String> lines();
}
