package io.github.flowablepubsub.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the app, which tells its story once and then stays up for a look, or stops when {@code SAMPLE_EXIT=true}. */
@SpringBootApplication
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {

    /** The app, ready to run; tests use it as well. */
    static SpringApplicationBuilder builder() {
        return new SpringApplicationBuilder(SampleApplication.class).initializers(new PubSubEndpoint());
    }

    /** Runs it. */
    public static void main(String[] args) {
        ConfigurableApplicationContext context = builder().run(args);
        if (context.getBean(SampleProperties.class).exit()) {
            System.exit(SpringApplication.exit(context));
        }
    }
}
