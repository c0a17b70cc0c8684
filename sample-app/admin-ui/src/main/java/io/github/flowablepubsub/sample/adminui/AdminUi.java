package io.github.flowablepubsub.sample.adminui;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts it; {@code application.yml} says where the sample is. */
@SpringBootApplication
public class AdminUi {

    /** Runs it. */
    public static void main(String[] args) {
        SpringApplication.run(AdminUi.class, args);
    }
}
