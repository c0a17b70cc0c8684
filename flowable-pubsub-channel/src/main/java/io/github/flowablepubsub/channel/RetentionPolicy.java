package io.github.flowablepubsub.channel;

import java.time.Duration;

/**
 * How long finished rows are kept.
 *
 * @param payload bodies and attributes are cleared so long after a message was finished
 * @param window rows are removed so long after a message was finished; until then a redelivery is recognised
 */
public record RetentionPolicy(Duration payload, Duration window) {}
