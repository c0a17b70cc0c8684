package io.github.flowablepubsub.channel;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps XML that can reach for files and hosts, or grow without bound, away from the parser: Flowable 7.2's resolves
 * external entities.
 */
final class HostileXml {

    private static final Pattern ENCODING =
            Pattern.compile("\\A\\s*<\\?xml[^>]{0,200}?encoding\\s{0,10}=\\s{0,10}[\"']([^\"']{0,40})[\"']");

    /** In these a document type declaration can't hide. */
    private static final Set<String> PLAIN = Set.of("utf-8", "us-ascii", "iso-8859-1");

    private HostileXml() {}

    static boolean isSuspect(String xml) {
        if (xml.contains("<!DOCTYPE") || xml.contains("<!ENTITY")) {
            return true;
        }
        String start = xml.substring(0, Math.min(xml.length(), 300));
        Matcher encoding = ENCODING.matcher(start.startsWith("\ufeff") ? start.substring(1) : start);
        return encoding.find()
                ? !PLAIN.contains(encoding.group(1).toLowerCase(Locale.ROOT))
                : start.toLowerCase(Locale.ROOT).contains("encoding") && start.contains("<?xml");
    }
}
