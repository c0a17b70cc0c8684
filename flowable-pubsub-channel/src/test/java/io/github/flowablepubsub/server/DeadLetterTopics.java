package io.github.flowablepubsub.server;

import com.google.pubsub.v1.PubsubMessage;

/** Where dead letters go. */
interface DeadLetterTopics {

    /** Publishes the message; false if there is no such topic any more. Must not be called with a lock held. */
    boolean forward(String topic, PubsubMessage message);
}
