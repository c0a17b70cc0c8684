package io.github.flowablepubsub.correlation;

/** What a look at the receivers of a message found. */
public enum Readiness {
    /** There is none. */
    NONE,
    /** One of them is suspended. */
    SUSPENDED,
    /** A delivery is worth a try. */
    READY
}
