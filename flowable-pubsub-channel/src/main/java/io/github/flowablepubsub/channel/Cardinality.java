package io.github.flowablepubsub.channel;

/** {@code policy.cardinality}: how many receivers a message may have. More than that is ambiguous, and nothing is triggered. */
public enum Cardinality {
    /** One waiting execution or start for each process definition key and tenant; the default. */
    ONE_PER_DEFINITION("onePerDefinition"),
    /** One at all. */
    ONE("one"),
    /** Any number, as Flowable's own channels deliver, but all of them or none. */
    ALL("all");

    private final String word;

    Cardinality(String word) {
        this.word = word;
    }

    /** The word in the file. */
    public String word() {
        return word;
    }
}
