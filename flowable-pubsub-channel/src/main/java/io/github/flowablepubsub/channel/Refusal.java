package io.github.flowablepubsub.channel;

/** A value is not accepted. The message says what is, and reads on after "property = value:". */
final class Refusal extends Exception {

    Refusal(String message) {
        super(message, null, false, false);
    }
}
