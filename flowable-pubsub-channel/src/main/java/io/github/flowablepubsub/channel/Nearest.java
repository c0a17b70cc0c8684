package io.github.flowablepubsub.channel;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known name that somebody probably meant. */
final class Nearest {

    private static final int MAX_LENGTH = 64;

    private Nearest() {}

    /** The candidate with the fewest typing errors from {@code name}, if they are few enough for its length. */
    static Optional<String> of(String name, Collection<String> candidates) {
        if (name.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        int fewest = Math.max(name.length() <= 4 ? 1 : 2, name.length() / 3) + 1;
        String nearest = null;
        for (String candidate : candidates) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < fewest) {
                fewest = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** Inserted, missing, wrong and swapped characters (optimal string alignment). */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int changed = d[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                d[i][j] = Math.min(changed, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
