package io.github.flowablepubsub.sample;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Aligned columns for a terminal; numbers to the right. */
final class Table {

    private final String[] headers;
    private final List<String[]> rows = new ArrayList<>();

    Table(String... headers) {
        this.headers = headers;
    }

    /** Adds a row. */
    void row(Object... cells) {
        if (cells.length != headers.length) {
            throw new IllegalArgumentException(cells.length + " cells for " + headers.length + " columns");
        }
        rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
    }

    /** The table, each line with its end. */
    String print() {
        int[] widths = new int[headers.length];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    headers[i].length(),
                    rows.stream().mapToInt(row -> row[column].length()).max().orElse(0));
        }
        StringBuilder text = new StringBuilder(line(headers, widths));
        text.append(line(Arrays.stream(widths).mapToObj("-"::repeat).toArray(String[]::new), widths));
        rows.forEach(row -> text.append(line(row, widths)));
        return text.toString();
    }

    private String line(String[] cells, int[] widths) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String pad = " ".repeat(widths[i] - cells[i].length());
            text.append("  ").append(isNumeric(i) ? pad + cells[i] : cells[i] + pad);
        }
        return text.toString().stripTrailing() + System.lineSeparator();
    }

    private boolean isNumeric(int column) {
        return !rows.isEmpty() && rows.stream().allMatch(row -> row[column].matches("\\d{1,9}|-"));
    }
}
