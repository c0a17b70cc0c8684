package io.github.flowablepubsub.bench;

import java.util.ArrayList;
import java.util.List;

/** Sizes from system properties; the defaults are the full size. */
final class Settings {

    private Settings() {}

    static int number(String name, int byDefault) {
        return Integer.getInteger("bench." + name, byDefault);
    }

    /** Comma-separated names, all by default. */
    static List<String> names(String name, List<String> byDefault) {
        String value = System.getProperty("bench." + name);
        return value == null ? byDefault : new ArrayList<>(List.of(value.split(",", -1)));
    }
}
