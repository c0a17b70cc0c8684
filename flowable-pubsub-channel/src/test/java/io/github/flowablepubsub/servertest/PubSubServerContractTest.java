package io.github.flowablepubsub.servertest;

import io.github.flowablepubsub.server.PubSubServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract against the in-process server, which has no gaps. */
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
