package io.github.flowablepubsub.inbox;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A failure and what caused it, outermost first, with the further exceptions of a statement batch. */
final class CauseChain {

    /** Foreign exceptions may go round in circles, or never end. */
    private static final int MAX_LINKS = 100;

    private CauseChain() {}

    static List<Throwable> of(Throwable failure) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> links = new ArrayList<>();
        follow(failure, seen, links);
        return links;
    }

    private static void follow(@Nullable Throwable failure, Set<Throwable> seen, List<Throwable> links) {
        for (Throwable link = failure; link != null && seen.size() < MAX_LINKS && seen.add(link); ) {
            links.add(link);
            if (link instanceof SQLException sql) {
                follow(sql.getNextException(), seen, links);
            }
            link = link.getCause();
        }
    }
}
