package io.github.flowablepubsub.servertest;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The official emulator as a process of its own. */
final class Emulator {

    static final String JAR_VARIABLE = "PUBSUB_EMULATOR_JAR";

    private static final String HOST = "127.0.0.1";
    private static final String JARS = "cloud-pubsub-emulator-*-all.jar";
    private static final String LIB = "platform/pubsub-emulator/lib";
    private static final Pattern VERSION = Pattern.compile("emulator-(\\d+)\\.(\\d+)\\.(\\d+)-all\\.jar");

    private final Process process;
    private final int port;
    private final Path jar;

    private Emulator(Process process, int port, Path jar) {
        this.process = process;
        this.port = port;
        this.jar = jar;
    }

    /** The directories that may hold the emulator. */
    static List<Path> candidates() {
        return List.of(
                Path.of("/usr/lib/google-cloud-sdk", LIB),
                Path.of("/opt/google-cloud-sdk", LIB),
                Path.of("/google-cloud-sdk", LIB),
                Path.of(System.getProperty("user.home"), "google-cloud-sdk", LIB));
    }

    static Optional<Path> find() throws IOException {
        String configured = System.getenv(JAR_VARIABLE);
        if (configured != null) {
            return Optional.of(Path.of(configured));
        }
        List<Path> found = new ArrayList<>();
        for (Path directory : candidates()) {
            if (Files.isDirectory(directory)) {
                try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, JARS)) {
                    jars.forEach(found::add);
                }
            }
        }
        return found.stream().findFirst();
    }

    /** Starts it on a free port and waits until it serves. */
    static Emulator start(Path jar) throws IOException, InterruptedException {
        int port = freePort();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        jar.toString(),
                        "--host=" + HOST,
                        "--port=" + port)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Emulator emulator = new Emulator(process, port, jar);
        try {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(emulator::accepts);
        } catch (RuntimeException e) {
            emulator.close();
            throw e;
        }
        return emulator;
    }

    String endpoint() {
        return HOST + ":" + port;
    }

    boolean isOlderThan(int... version) {
        Matcher matcher = VERSION.matcher(jar.getFileName().toString());
        if (!matcher.find()) {
            return true;
        }
        int[] own = {
            Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3))
        };
        return Arrays.compare(own, version) < 0;
    }

    void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(5, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private boolean accepts() {
        if (!process.isAlive()) {
            throw new IllegalStateException("emulator ended with " + process.exitValue() + ": " + jar);
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
