package io.github.flowablepubsub.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Flowable's REST API in the sample: with the line that has one. */
@ExtendWith(OutputCaptureExtension.class)
class RestTest {

    private static final String JOBS = "/process-api/management/deadletter-jobs/?size=10";

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void showsParkedMessagesToItsUserAndNothingToOthers(CapturedOutput output) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = SampleApplication.builder()
                .run("--spring.datasource.url=jdbc:h2:mem:rest;DB_CLOSE_DELAY=-1", "--sample.leave-ambiguous=true")) {
            String port = context.getEnvironment().getRequiredProperty("local.server.port");
            Matcher printed =
                    Pattern.compile("user admin, password (\\S{20})\\R").matcher(output.getOut());
            assertThat(printed.find()).as("password printed").isTrue();

            assertThat(get(port, JOBS, "admin:" + printed.group(1)).body())
                    .contains("AMBIGUOUS: ", "UNREADABLE: ", "NO_MATCH: ", "\"total\":3");
            assertThat(get(port, JOBS, "admin:wrong").statusCode()).isEqualTo(401);
            assertThat(get(port, JOBS, "").statusCode()).isEqualTo(401);
            assertThat(get(port, "/idm-api/users", "admin:" + printed.group(1)).statusCode())
                    .isEqualTo(403);
            assertThat(get(port, "/actuator/health", "").body()).contains("\"flowablePubSub\"");
        }
    }

    private HttpResponse<String> get(String port, String path, String credentials)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (!credentials.isEmpty()) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }
}
