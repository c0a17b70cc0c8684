package io.github.flowablepubsub.operations;

import io.github.flowablepubsub.relay.RepairResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of what an operator wanted of many messages.
 *
 * @param done messages it was done to; each is committed
 * @param others messages it was not done to: they have changed meanwhile, it was refused, or their keys were in work
 * @param examples the first of those, at most {@value #MAX_EXAMPLES}
 * @param stalled it ended early, as relays looked at nothing that was opened: see whether any node relays, and whether older
 *     messages of the same keys back off
 * @param next what to go on with, null when it went through everything that fits
 */
public record InboxBulk(int done, int others, List<RepairResult> examples, boolean stalled, @Nullable Long next) {

    /** Examples that are told. */
    public static final int MAX_EXAMPLES = 20;

    /** Takes a copy. */
    public InboxBulk {
        examples = List.copyOf(examples);
    }
}
