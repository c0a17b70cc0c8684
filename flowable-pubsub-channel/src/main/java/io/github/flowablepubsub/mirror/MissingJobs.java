package io.github.flowablepubsub.mirror;

import io.github.flowablepubsub.channel.ChannelRegistry;
import io.github.flowablepubsub.channel.PubSubChannel;
import io.github.flowablepubsub.channel.RegisteredChannel;
import io.github.flowablepubsub.inbox.ChannelId;
import io.github.flowablepubsub.inbox.DatabaseFailures;
import io.github.flowablepubsub.inbox.InboxTransactions;
import io.github.flowablepubsub.inbox.MirrorMapper.Bare;
import io.github.flowablepubsub.inbox.MirrorMapper.From;
import io.github.flowablepubsub.inbox.MirrorMapper.Standing;
import io.github.flowablepubsub.inbox.MirrorMapper.Work;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives parked rows a job that were parked without: by plain SQL, or while {@code policy.parking.deadLetterJob} was false. A
 * look reads a page of each channel, from the index of parked rows without a job; where some events of a channel have none
 * ({@code policy.events}), it walks on from page to page. Confined to its thread.
 */
final class MissingJobs {

    static final int PAGE = 100;

    /** Channels in one statement. */
    private static final int CHANNELS = 20;

    private static final int MAX_REFUSED = 1000;

    private static final Logger log = LoggerFactory.getLogger(MissingJobs.class);

    private final ChannelRegistry channels;
    private final InboxTransactions transactions;
    private final Mirrors mirrors;
    private final Map<ChannelId, Long> cursors = new HashMap<>();
    private final Set<Long> refused = new HashSet<>();

    MissingJobs(ChannelRegistry channels, InboxTransactions transactions, Mirrors mirrors) {
        this.channels = channels;
        this.transactions = transactions;
        this.mirrors = mirrors;
    }

    /** Kinds of work that there is, of any kind, in one statement. */
    Set<Work> work() {
        List<From> all = wanting().keySet().stream()
                .limit(CHANNELS)
                .map(id -> new From(id, cursors.getOrDefault(id, 0L)))
                .toList();
        Set<Work> work = EnumSet.noneOf(Work.class);
        work.addAll(transactions.call(session -> session.mirrors().work(all, JobIds.FIRST, JobIds.LAST)));
        boolean onTheWay = cursors.values().stream().anyMatch(after -> after > 0);
        if (onTheWay || wanting().size() > CHANNELS) {
            work.add(Work.MISSING);
        }
        return work;
    }

    private Map<ChannelId, PubSubChannel> wanting() {
        return channels.all().stream()
                .filter(channel -> wantsAny(channel.config()))
                .collect(Collectors.toMap(RegisteredChannel::id, RegisteredChannel::config));
    }

    /** One page of each channel; returns whether another look at once is worth it. */
    boolean step() {
        Map<ChannelId, PubSubChannel> wanting = wanting();
        cursors.keySet().retainAll(wanting.keySet());
        List<From> all = wanting.keySet().stream()
                .map(id -> new From(id, cursors.getOrDefault(id, 0L)))
                .toList();
        boolean more = false;
        for (int first = 0; first < all.size(); first += CHANNELS) {
            List<From> some = all.subList(first, Math.min(first + CHANNELS, all.size()));
            Map<ChannelId, List<Bare>> found =
                    transactions.call(session -> session.mirrors().withoutJob(some, PAGE)).stream()
                            .collect(Collectors.groupingBy(Bare::channel));
            for (From from : some) {
                List<Bare> page = found.getOrDefault(from.channel(), List.of());
                boolean full = page.size() == PAGE;
                cursors.put(from.channel(), full ? page.get(PAGE - 1).id() : 0L);
                PubSubChannel config = wanting.get(from.channel());
                List<Long> ids = page.stream()
                        .filter(row -> config != null && wants(config, row))
                        .map(Bare::id)
                        .toList();
                more |= create(ids) > 0 && full;
            }
        }
        return more;
    }

    private static boolean wantsAny(PubSubChannel config) {
        return config.policy().parking().deadLetterJob()
                || config.events().values().stream()
                        .anyMatch(policy -> policy.parking().deadLetterJob());
    }

    private static boolean wants(PubSubChannel config, Bare row) {
        return config.policy(row.eventKey()).parking().deadLetterJob();
    }

    /** In one transaction, if one row does not spoil it. */
    private int create(List<Long> ids) {
        if (ids.isEmpty()) {
            return 0;
        }
        try {
            return transactions.call(session -> {
                int created = 0;
                for (Standing row : session.mirrors().lock(ids)) {
                    created += mirrors.create(session, row.id()) ? 1 : 0;
                }
                return created;
            });
        } catch (RuntimeException e) {
            if (DatabaseFailures.isTransient(e) || DatabaseFailures.isDatabaseAway(e)) {
                throw e;
            }
            if (ids.size() == 1) {
                refused(ids.get(0), e);
                return 0;
            }
            int created = 0;
            for (Long id : new ArrayList<>(ids)) {
                created += create(List.of(id));
            }
            return created;
        }
    }

    private void refused(long id, RuntimeException e) {
        if (refused.size() < MAX_REFUSED && refused.add(id)) {
            log.warn(
                    "Parked inbox row {} can't be given a dead-letter job, which is tried again and again: {}. The message is"
                            + " safe in its row; repair it by SQL.",
                    id,
                    DatabaseFailures.summary(e));
        }
    }
}
