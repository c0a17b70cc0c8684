package io.github.flowablepubsub.sample.rest;

import io.github.flowablepubsub.sample.Hint;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Name and password of the REST API's user, and how to use them. */
@Component
@EnableConfigurationProperties(RestProperties.class)
class RestUser implements Hint {

    private static final int RANDOM_BYTES = 15;

    private final Environment environment;
    private final String name;
    private final String password;
    private final boolean madeUp;

    RestUser(RestProperties properties, Environment environment) {
        this.environment = environment;
        this.name = properties.user();
        this.madeUp = properties.password().isBlank();
        this.password = madeUp ? random() : properties.password();
    }

    String name() {
        return name;
    }

    String password() {
        return password;
    }

    @Override
    public List<String> lines() {
        return List.of(
                "REST      http://127.0.0.1:" + environment.getRequiredProperty("local.server.port") + "/process-api",
                "          user " + name + ", password " + (madeUp ? password : "as in sample.rest.password"));
    }

    private static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
