package io.github.flowablepubsub.servertest;

import io.github.flowablepubsub.server.PubSubServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract against the in-process server, which has no gaps. */
@Tag("once") // on one Flowable line, see .ci/run
class PubSubServerContractTest
        implements DeliveryContract,
                PullContract,
                OrderingContract,
                DeadLetterContract,
                RetryContract,
                ExactlyOnceContract,
                SeekContract,
                LifecycleContract {

    private static PubSubServer server;

    @BeforeAll
    static void start() {
        server = PubSubServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    public String endpoint() {
        return server.endpoint();
    }
}
