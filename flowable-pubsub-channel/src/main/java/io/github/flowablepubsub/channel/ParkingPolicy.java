package io.github.flowablepubsub.channel;

/**
 * What becomes of messages that nobody took within their time to live: parked, which raises an alarm, or discarded, which
 * keeps the row with its reason for the deduplication window.
 *
 * @param discardNoMatch {@code onNoMatch} is {@code discard}: no subscription came
 * @param discardUnknownEvent {@code onUnknownEvent} is {@code discard}: no event definition came
 */
public record ParkingPolicy(boolean discardNoMatch, boolean discardUnknownEvent) {}
