package io.github.flowablepubsub.servertest;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract against the official emulator, where one is installed. */
@Tag("once") // on one Flowable line, see .ci/run
class EmulatorContractTest
        implements DeliveryContract,
                PullContract,
                OrderingContract,
                DeadLetterContract,
                RetryContract,
                ExactlyOnceContract,
                SeekContract,
                LifecycleContract {

    private static @Nullable Emulator emulator;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        Optional<Path> jar = Emulator.find();
        assumeTrue(
                jar.isPresent(),
                () -> "no Pub/Sub emulator: set " + Emulator.JAR_VARIABLE + " to its jar, looked in "
                        + Emulator.candidates());
        emulator = Emulator.start(jar.get());
    }

    @AfterAll
    static void stop() throws InterruptedException {
        if (emulator != null) {
            emulator.close();
        }
    }

    @Override
    public String endpoint() {
        return running().endpoint();
    }

    /** Seen with 0.8.20; keep-alive is answered since 0.8.32. */
    @Override
    public Set<Gap> gaps() {
        Set<Gap> gaps = EnumSet.of(
                Gap.SUCCESSORS_NOT_REDELIVERED,
                Gap.NACKED_MESSAGE_NOT_FIRST,
                Gap.FIRST_RETRY_NOT_DELAYED,
                Gap.STREAM_DOES_NOT_CONFIRM,
                Gap.SEEK_DROPS_WHAT_IT_ACKS);
        if (running().isOlderThan(0, 8, 32)) {
            gaps.add(Gap.KEEP_ALIVE_NOT_ANSWERED);
        }
        return gaps;
    }

    private static Emulator running() {
        if (emulator == null) {
            throw new IllegalStateException("emulator was not started");
        }
        return emulator;
    }
}
