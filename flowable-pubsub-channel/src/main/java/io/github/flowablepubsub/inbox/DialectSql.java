package io.github.flowablepubsub.inbox;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ibatis.mapping.SqlSource;
import org.apache.ibatis.scripting.xmltags.XMLLanguageDriver;
import org.apache.ibatis.session.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * MyBatis' language, with words in brackets for what the databases write differently: {@code [now]}, {@code [clock]} (the
 * same in microseconds), {@code [ago #{micros}]},
 * {@code [micros COLUMN]}, {@code [time #{parameter}]}, {@code [text #{parameter}]}, {@code [unindexed COLUMN]}, {@code [first #{count}]}, {@code [locking table]} and
 * {@code [skip locked]}. Translated once, when a statement is read.
 */
public final class DialectSql extends XMLLanguageDriver {

    private static final String VARIABLE = "pubsub.dialect";

    private static final Pattern WORD = Pattern.compile(
            "\\[(now|clock|ago|locking table|skip locked|micros|time|text|first|unindexed)(?: ([^\\]]+))?\\]");

    private static final Pattern TIME = Pattern.compile("\\[(now|clock|ago|micros|time)\\b");

    /** Says which dialect the statements of this configuration speak; before its mappers are added. */
    static void use(Configuration configuration, Dialect dialect) {
        configuration.getVariables().setProperty(VARIABLE, dialect.name());
    }

    static Dialect dialect(Configuration configuration) {
        return Dialect.valueOf(configuration.getVariables().getProperty(VARIABLE));
    }

    @Override
    public SqlSource createSqlSource(Configuration configuration, String script, @Nullable Class<?> parameterType) {
        return super.createSqlSource(configuration, translate(script, dialect(configuration)), parameterType);
    }

    static String translate(String script, Dialect dialect) {
        String translated = WORD.matcher(script)
                .replaceAll(word -> Matcher.quoteReplacement(
                        switch (word.group(1)) {
                            case "now" -> dialect.now();
                            case "clock" -> dialect.micros(dialect.now());
                            case "ago" -> ago(dialect, word.group(2));
                            case "locking table" -> dialect.lockingTable();
                            case "skip locked" -> dialect.skipLocked();
                            case "micros" -> dialect.micros(word.group(2));
                            case "time" -> dialect.time(word.group(2));
                            case "text" -> dialect.text(word.group(2));
                            case "unindexed" -> dialect.unindexed(word.group(2));
                            case "first" -> dialect.first(word.group(2));
                            default -> throw new IllegalStateException("No translation of " + word.group());
                        }));
        return TIME.matcher(script).find() ? dialect.inUtc(translated) : translated;
    }

    private static String ago(Dialect dialect, String micros) {
        return dialect.time("(" + dialect.micros(dialect.now()) + " - " + micros + ")");
    }
}
