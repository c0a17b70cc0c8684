package io.github.flowablepubsub.sample.adminui;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in a process of its own, whose output says how far it is. */
final class App implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String name;
    private final Process process;
    private final Path output;

    private App(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** Starts a JVM. */
    static App java(String name, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m"));
        command.addAll(List.of(arguments));
        Path output = Path.of("target", name + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        return new App(name, builder.start(), output);
    }

    /** Waits for a line, and returns its first group. */
    String await(String regex) throws IOException, InterruptedException {
        Pattern pattern = Pattern.compile(regex);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            boolean alive = process.isAlive();
            String said = Files.readString(output);
            Matcher matcher = pattern.matcher(said);
            if (matcher.find()) {
                return matcher.group(1);
            }
            if (!alive || System.nanoTime() > deadline) {
                throw new IllegalStateException("%s %s and did not say %s; its output is in %s:%n%s"
                        .formatted(name, alive ? "runs" : "ended", regex, output.toAbsolutePath(), said));
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }
}
