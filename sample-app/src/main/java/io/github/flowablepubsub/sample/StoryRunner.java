package io.github.flowablepubsub.sample;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Plays the story once when the app is ready, and remembers how it ended for the exit code. */
@Component
class StoryRunner implements ExitCodeGenerator {

    private static final Logger log = LoggerFactory.getLogger(StoryRunner.class);

    private final Story story;
    private final Judge judge;
    private final Report report;
    private final SampleProperties properties;
    private volatile int exitCode = 1;

    StoryRunner(Story story, Judge judge, Report report, SampleProperties properties) {
        this.story = story;
        this.judge = judge;
        this.report = report;
        this.properties = properties;
    }

    @EventListener(ApplicationReadyEvent.class)
    void run() {
        long begin = System.nanoTime();
        Ending ending = new Ending();
        report.begin();
        try {
            story.play(ending, begin + properties.deadline().toNanos());
        } catch (Watch.NotInTime e) {
            ending.deviation("missing after " + properties.deadline() + ": " + e.getMessage());
        } catch (RuntimeException e) {
            log.error("The story broke off", e);
            ending.deviation("the story broke off: " + e);
        }
        List<String> deviations = judge.deviations(ending);
        report.result(ending, deviations, Duration.ofNanos(System.nanoTime() - begin));
        exitCode = deviations.isEmpty() ? 0 : 1;
        if (!properties.exit()) {
            report.look();
        }
    }

    /** 0 when everything ended exactly as it should, else 1. */
    @Override
    public int getExitCode() {
        return exitCode;
    }
}
