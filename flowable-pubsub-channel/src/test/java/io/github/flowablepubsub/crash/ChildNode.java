package io.github.flowablepubsub.crash;

import static org.awaitility.Awaitility.await;

import io.github.flowablepubsub.testdb.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A node in a JVM of its own, that can be killed. Ends with this JVM, too: it reads its standard input. */
final class ChildNode implements AutoCloseable {

    /** Marks lines that are meant for the test. */
    static final String SIGNAL = "@@ ";

    private final String name;
    private final Process process;
    private final List<String> signals = new CopyOnWriteArrayList<>();
    private final List<String> log = new CopyOnWriteArrayList<>();

    private ChildNode(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a JVM with {@link ChildMain}.
     *
     * @param hang where it is to hang, see there
     */
    static ChildNode start(String name, String endpoint, Database database, ChildMain.Hang hang, CrashNode.Role role) {
        try {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx384m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ChildMain.class.getName(),
                            name,
                            endpoint,
                            database.kind().name(),
                            database.url(),
                            hang.name(),
                            Boolean.toString(role.subscriber()),
                            role.sweep().toString())
                    .redirectErrorStream(true)
                    .start();
            ChildNode child = new ChildNode(name, process);
            Thread reader = new Thread(child::read, "output of " + name);
            reader.setDaemon(true);
            reader.start();
            return child;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(SIGNAL)) {
                    signals.add(line.substring(SIGNAL.length()));
                } else {
                    log.add(line);
                }
            }
        } catch (IOException e) {
            log.add("Output ended: " + e);
        }
    }

    /** What it has told. */
    List<String> signals() {
        return List.copyOf(signals);
    }

    /** Waits until it has told this many different things that begin so. */
    void awaitSignals(String prefix, int count) {
        await(name + " to tell " + count + " times " + prefix)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(60))
                .failFast("it died; see its log", () -> !process.isAlive())
                .until(() -> signals.stream()
                                .filter(signal -> signal.startsWith(prefix))
                                .distinct()
                                .count()
                        >= count);
    }

    /** SIGKILL; returns when it is gone. */
    void kill() {
        try {
            if (!process.destroyForcibly().waitFor(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " does not die");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends it a signal, such as STOP or CONT. */
    void send(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lets it go on where it hangs. */
    void release() {
        try {
            process.getOutputStream().write('\n');
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Its log lines that contain this. */
    List<String> log(String text) {
        return log.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        kill();
    }
}
