package io.github.flowablepubsub.sample;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the sample; {@code application.yml} has the defaults.
 *
 * @param topic short name of the topic that the service provider publishes to; created when it is missing
 * @param subscription short name of the channel's subscription; created when it is missing
 * @param timeToLive how long a completion may wait for its order; used by the channel file
 * @param deadline the story has failed when it has not ended by then
 * @param leaveAmbiguous the story leaves one order with a double token, its completion parked, for whoever wants to repair it
 * @param exit stop after the story; exit code 1 when something did not end as it should
 */
@ConfigurationProperties("sample")
public record SampleProperties(
        String topic,
        String subscription,
        Duration timeToLive,
        Duration deadline,
        boolean leaveAmbiguous,
        boolean exit) {}
