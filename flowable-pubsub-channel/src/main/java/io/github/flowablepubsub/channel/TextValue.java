package io.github.flowablepubsub.channel;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

/**
 * Text.
 *
 * @param rule what is allowed, as a refusal says it
 */
record TextValue(String rule, Predicate<String> allowed, boolean takesPlaceholders) implements ValueType<String> {

    private static final int MAX_EXPRESSION_LENGTH = 1000;

    /** Anything, for people to read. */
    static final TextValue FREE = new TextValue("must be text", text -> true, true);

    static final TextValue NOT_BLANK = new TextValue("must be text that is not blank", text -> !text.isBlank(), true);

    /** Key of a definition, as long as Flowable's column. */
    static final TextValue KEY = new TextValue(
            "must be text that is not blank, of at most 255 characters",
            text -> !text.isBlank() && text.length() <= 255,
            true);

    /** Flowable's own expression: not a placeholder. */
    static final TextValue EXPRESSION = new TextValue(
            "must be a Flowable expression such as ${myBean}",
            text -> (text.contains("${") || text.contains("#{")) && text.contains("}"),
            false);

    static final TextValue JSON_POINTER = new TextValue(
            "must be a JSON pointer, which starts with a slash, such as /event/type",
            text -> text.startsWith("/"),
            true);

    static final TextValue XPATH =
            new TextValue("must be an XPath expression such as /event/type", TextValue::isXPath, true);

    @Override
    public String read(Object value) throws Refusal {
        if (value instanceof Map || value instanceof List || !allowed.test(value.toString())) {
            throw new Refusal(rule);
        }
        return value.toString();
    }

    private static boolean isXPath(String text) {
        try {
            // The same calls as Flowable's detectors make for every message.
            return text.length() <= MAX_EXPRESSION_LENGTH
                    && XPathFactory.newInstance().newXPath().compile(text) != null;
        } catch (XPathExpressionException e) {
            return false;
        }
    }
}
