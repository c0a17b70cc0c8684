package io.github.flowablepubsub.sample.rest;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The one who may call the REST API.
 *
 * @param user name
 * @param password when blank, one is made up at each start and printed
 */
@ConfigurationProperties("sample.rest")
public record RestProperties(
        @DefaultValue("admin") String user, @DefaultValue("") String password) {

    /** Without the password. */
    @Override
    public String toString() {
        return "user " + user;
    }
}
