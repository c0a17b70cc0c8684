/**
 * The {@code .channel} file: its JSON model, its rules, and what it says as plain values.
 *
 * <p>Comes in: the JSON that Flowable's converter read, and a way to resolve <code>${property}</code> placeholders. Goes
 * out: a {@link io.github.flowablepubsub.channel.PubSubChannel}, or one refusal that lists everything wrong with the file.
 * Must not know: the Pub/Sub client, the inbox table, how a message is correlated, and no type of Jackson's databind, as
 * the two Flowable lines bring different ones.
 */
@NullMarked
package io.github.flowablepubsub.channel;

import org.jspecify.annotations.NullMarked;
