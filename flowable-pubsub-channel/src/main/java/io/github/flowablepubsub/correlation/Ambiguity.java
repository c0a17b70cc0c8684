package io.github.flowablepubsub.correlation;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.flowable.eventsubscription.api.EventSubscription;
import org.jspecify.annotations.Nullable;

/** Several receivers where one is allowed, in words for whoever has to decide between them: whole candidates, as many as fit. */
final class Ambiguity {

    private static final int MAX_CANDIDATES = 20;

    /** Fits {@code LAST_ERROR_} on every database. */
    private static final int MAX_LENGTH = 2000;

    private static final int MAX_BUSINESS_KEY = 60;

    private Ambiguity() {}

    /**
     * Describes.
     *
     * @param businessKey of a candidate's instance; asked for the candidates that are described, up to {@value #MAX_CANDIDATES}
     */
    static String describe(
            List<EventSubscription> candidates, Function<EventSubscription, @Nullable String> businessKey) {
        StringBuilder text = new StringBuilder(summary(candidates));
        for (int i = 0; i < candidates.size(); i++) {
            String separator = i == 0 ? ": " : "; ";
            int left = candidates.size() - i;
            String rest = separator + "and " + left + " more";
            String next = i < MAX_CANDIDATES ? separator + candidate(candidates.get(i), businessKey) : "";
            boolean last = left == 1;
            if (next.isEmpty() || text.length() + next.length() + (last ? 0 : rest.length()) > MAX_LENGTH) {
                return text.append(rest).toString();
            }
            text.append(next);
        }
        return text.toString();
    }

    private static String summary(List<EventSubscription> candidates) {
        boolean onlyProcesses = candidates.stream().noneMatch(CaseReceivers::isCase);
        boolean onlyCases = candidates.stream().allMatch(CaseReceivers::isCase);
        String kind = onlyProcesses ? "process " : onlyCases ? "case " : "";
        long definitions =
                candidates.stream().map(Ambiguity::definition).distinct().count();
        List<String> tokens = candidates.stream()
                .map(Ambiguity::instance)
                .filter(Objects::nonNull)
                .toList();
        long instances = tokens.stream().distinct().count();
        List<String> parts = new ArrayList<>();
        if (instances == 1 && tokens.size() > 1) {
            parts.add(tokens.size() + " tokens of one instance");
        } else if (instances > 0 && instances < tokens.size()) {
            parts.add(tokens.size() + " tokens of " + instances + " instances");
        } else if (instances > 0) {
            parts.add(instances == 1 ? "1 instance" : instances + " instances");
        }
        long starts = candidates.size() - (long) tokens.size();
        if (starts > 0) {
            parts.add(starts == 1 ? "1 start" : starts + " starts");
        }
        return candidates.size() + " receivers of "
                + (definitions == 1 ? "the same " + kind + "definition" : definitions + " " + kind + "definitions")
                + " match, "
                + String.join(" and ", parts);
    }

    private static String candidate(
            EventSubscription candidate, Function<EventSubscription, @Nullable String> businessKey) {
        String instance = instance(candidate);
        String activity = candidate.getActivityId() == null ? "" : " activity " + candidate.getActivityId();
        if (instance == null) {
            return "start of " + definition(candidate) + activity;
        }
        String key = businessKey.apply(candidate);
        String shown = key == null ? "" : " business key " + key.substring(0, Math.min(MAX_BUSINESS_KEY, key.length()));
        String since = candidate.getCreated() == null
                ? "?"
                : candidate.getCreated().toInstant().toString();
        return CaseReceivers.isCase(candidate)
                ? "case instance " + instance + shown + activity + " plan item instance " + candidate.getSubScopeId()
                        + " since " + since
                : "process instance " + instance + shown + activity + " execution " + candidate.getExecutionId()
                        + " since " + since;
    }

    private static String definition(EventSubscription candidate) {
        return CaseReceivers.isCase(candidate) ? candidate.getScopeDefinitionId() : candidate.getProcessDefinitionId();
    }

    private static @Nullable String instance(EventSubscription candidate) {
        return CaseReceivers.isCase(candidate) ? candidate.getScopeId() : candidate.getProcessInstanceId();
    }
}
