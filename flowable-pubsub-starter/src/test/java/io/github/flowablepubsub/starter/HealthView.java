package io.github.flowablepubsub.starter;

import java.util.Map;

/** A health indicator of either generation of the API, which have the same methods in different packages. */
final class HealthView {

    private final Object indicator;

    HealthView(Object indicator) {
        this.indicator = indicator;
    }

    String status() {
        return call(call(indicator, "health"), "getStatus").toString();
    }

    Map<?, ?> details() {
        return (Map<?, ?>) call(call(indicator, "health"), "getDetails");
    }

    private static Object call(Object target, String method) {
        try {
            var found = java.util.Arrays.stream(target.getClass().getMethods())
                    .filter(m -> m.getName().equals(method) && m.getParameterCount() == 0)
                    .findFirst()
                    .orElseThrow();
            found.setAccessible(true);
            return java.util.Objects.requireNonNull(found.invoke(target));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
