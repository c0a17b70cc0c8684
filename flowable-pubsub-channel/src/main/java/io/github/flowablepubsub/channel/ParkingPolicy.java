package io.github.flowablepubsub.channel;

/**
 * What becomes of messages that nobody took within their time to live: parked, which raises an alarm, or discarded, which
 * keeps the row with its reason for the deduplication window. And whether a parked message stands in the way of others.
 *
 * @param discardNoMatch {@code onNoMatch} is {@code discard}: no subscription came
 * @param discardUnknownEvent {@code onUnknownEvent} is {@code discard}: no event definition came
 * @param laterMessagesWait {@code laterMessages} is {@code wait}: later messages of the same order key wait until a parked one
 *     is repaired, discarded or deleted
 * @param deadLetterJob a parked message is mirrored as a dead-letter job of the engine
 */
public record ParkingPolicy(
        boolean discardNoMatch, boolean discardUnknownEvent, boolean laterMessagesWait, boolean deadLetterJob) {}
