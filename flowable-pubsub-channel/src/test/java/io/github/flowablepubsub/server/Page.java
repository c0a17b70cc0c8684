package io.github.flowablepubsub.server;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * One page of a listing by name.
 *
 * @param items the values of the page
 * @param next the token of the next page, empty on the last one
 */
record Page<T>(List<T> items, String next) {

    private static final int DEFAULT_SIZE = 1000;

    /** A token is the last name of the page before: it stays right when names come and go meanwhile. */
    static <T> Page<T> of(NavigableMap<String, T> all, int size, String token) {
        int limit = size > 0 ? size : DEFAULT_SIZE;
        List<Map.Entry<String, T>> found =
                all.tailMap(token, false).entrySet().stream().limit(limit + 1L).toList();
        boolean more = found.size() > limit;
        List<Map.Entry<String, T>> page = more ? found.subList(0, limit) : found;
        return new Page<>(
                page.stream().map(Map.Entry::getValue).toList(),
                more ? page.get(limit - 1).getKey() : "");
    }
}
