package io.github.flowablepubsub.testdb;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a time zone known to MariaDB by its name, which comes with none; from Java's own rules. */
final class MariaDbTimeZone {

    private static final Instant FROM = Instant.parse("1975-01-01T00:00:00Z");
    private static final Instant TO = Instant.parse("2037-12-31T00:00:00Z");

    private MariaDbTimeZone() {}

    static void load(String url, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        Map<ZoneOffset, Integer> types = new LinkedHashMap<>();
        List<String> transitions = new ArrayList<>();
        types.put(rules.getOffset(FROM), 0);
        for (ZoneOffsetTransition next = rules.nextTransition(FROM);
                next != null && next.getInstant().isBefore(TO);
                next = rules.nextTransition(next.getInstant())) {
            types.putIfAbsent(next.getOffsetAfter(), types.size());
            transitions.add("(1, %d, %d)".formatted(next.toEpochSecond(), types.get(next.getOffsetAfter())));
        }
        List<String> offsets = new ArrayList<>();
        types.forEach((offset, type) -> offsets.add("(1, %d, %d, 0, '')".formatted(type, offset.getTotalSeconds())));
        MariaDbServer.execute(
                url,
                "use mysql",
                "insert into time_zone (Time_zone_id, Use_leap_seconds) values (1, 'N')",
                "insert into time_zone_name (Name, Time_zone_id) values ('" + zone.getId() + "', 1)",
                "insert into time_zone_transition_type"
                        + " (Time_zone_id, Transition_type_id, `Offset`, Is_DST, Abbreviation) values "
                        + String.join(",", offsets),
                "insert into time_zone_transition (Time_zone_id, Transition_time, Transition_type_id) values "
                        + String.join(",", transitions));
    }
}
