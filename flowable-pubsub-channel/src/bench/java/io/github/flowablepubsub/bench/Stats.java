package io.github.flowablepubsub.bench;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Medians and percentiles. */
final class Stats {

    private Stats() {}

    static double median(Collection<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int size = sorted.size();
        return size > 0 && size % 2 == 0
                ? (sorted.get(size / 2 - 1) + sorted.get(size / 2)) / 2
                : percentile(values, 50);
    }

    /** Nearest rank. */
    static double percentile(Collection<Double> values, double percent) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("Nothing was measured");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int rank = (int) Math.ceil(percent / 100 * sorted.size());
        return sorted.get(Math.max(0, Math.min(sorted.size() - 1, rank - 1)));
    }

    /** Rounds side by side, so that the spread can be seen. */
    static String rounds(Collection<Double> values, String format) {
        return String.join(
                " ",
                values.stream()
                        .map(value -> String.format(Locale.ROOT, format, value))
                        .toList());
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
