package io.github.flowablepubsub.bench;

import java.util.ArrayList;
import java.util.List;

/** One table with its remarks, as plain text. */
final class Report {

    private final String title;
    private final List<String> columns;
    private final List<List<String>> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Report> further = new ArrayList<>();

    Report(String title, String... columns) {
        this.title = title;
        this.columns = List.of(columns);
    }

    Report row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell));
        }
        rows.add(row);
        System.out.println("  " + String.join("  ", row)); // seen at once, the table comes last
        return this;
    }

    Report note(String note) {
        notes.add(note);
        return this;
    }

    /** Another table below this one. */
    Report and(Report other) {
        further.add(other);
        return this;
    }

    /** How a figure stands to its target. */
    static String verdict(boolean met) {
        return met ? "met" : "NOT MET";
    }

    String text() {
        List<List<String>> all = new ArrayList<>(rows);
        all.add(0, columns);
        int[] widths = new int[columns.size()];
        for (List<String> row : all) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder("\n== " + title + "\n\n");
        for (List<String> row : all) {
            for (int i = 0; i < row.size(); i++) {
                text.append(i == 0 ? "| " : " | ").append(row.get(i));
                text.append(" ".repeat(widths[i] - row.get(i).length()));
            }
            text.append(" |\n");
            if (row == columns) {
                for (int width : widths) {
                    text.append("|").append("-".repeat(width + 2));
                }
                text.append("|\n");
            }
        }
        notes.forEach(note -> text.append("\n* ").append(note));
        text.append('\n');
        further.forEach(report -> text.append(report.text()));
        return text.toString();
    }
}
