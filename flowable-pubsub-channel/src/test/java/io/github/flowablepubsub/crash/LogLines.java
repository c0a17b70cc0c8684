package io.github.flowablepubsub.crash;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the plugin logs meanwhile. */
public final class LogLines implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.flowablepubsub");
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
    };

    /** From now on. */
    public LogLines() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /** Each with its level in front. */
    public List<String> all() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
    }
}
