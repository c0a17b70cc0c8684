package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.inbox.Payload;

/**
 * What a message brought. Gone, and empty, once it was cleared.
 *
 * @param body as it came
 * @param attributes Pub/Sub attributes, as a JSON object
 */
public record InboxContent(Payload body, String attributes) {}
