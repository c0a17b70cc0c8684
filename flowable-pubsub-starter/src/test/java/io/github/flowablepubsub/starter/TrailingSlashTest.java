package io.github.flowablepubsub.starter;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.server.PubSubServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/**
 * What Flowable's Admin UI asks for. The servlet stands where Flowable's is, which the registry does not have for 8.0; with
 * Flowable's own it is tested by the sample.
 */
class TrailingSlashTest {

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class App {

        @RestController
        static class Own {
            @GetMapping("/own/jobs")
            String jobs() {
                return "own";
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ProcessApi {

        @EnableWebMvc
        @RestController
        static class Jobs {
            @GetMapping("/management/deadletter-jobs")
            String jobs() {
                return "jobs";
            }
        }

        @Bean
        ServletRegistrationBean<DispatcherServlet> processService() {
            AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
            context.register(Jobs.class);
            return new ServletRegistrationBean<>(new DispatcherServlet(context), "/flow/*");
        }
    }

    private static final String JOBS = "/flow/management/deadletter-jobs";

    @Test
    void isServedBelowFlowablesProcessApiAndNowhereElse() throws IOException, InterruptedException {
        try (PubSubServer server = PubSubServer.start();
                ConfigurableApplicationContext app =
                        run(server, ProcessApi.class, "--server.servlet.context-path=/app")) {
            assertThat(get(app, "/app" + JOBS).body()).isEqualTo("jobs");
            assertThat(get(app, "/app" + JOBS + "/?size=10").body()).isEqualTo("jobs");
            assertThat(get(app, "/app/own/jobs").body()).isEqualTo("own");
            assertThat(get(app, "/app/own/jobs/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void canBeSwitchedOff() throws IOException, InterruptedException {
        try (PubSubServer server = PubSubServer.start();
                ConfigurableApplicationContext app =
                        run(server, ProcessApi.class, "--flowable.pubsub.admin.trailing-slash=false")) {
            assertThat(get(app, JOBS).body()).isEqualTo("jobs");
            assertThat(get(app, JOBS + "/").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void anAppWithoutFlowablesProcessApiHasNoSuchFilter() {
        try (PubSubServer server = PubSubServer.start();
                ConfigurableApplicationContext app = run(server, App.class)) {
            assertThat(app.containsBean("pubSubTrailingSlashFilter")).isFalse();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnProcessService {
        @Bean
        String processService() {
            return "the app's own";
        }
    }

    @Test
    void anAppMayHaveABeanOfThatNameThatIsSomethingElse() {
        try (PubSubServer server = PubSubServer.start();
                ConfigurableApplicationContext app = run(server, OwnProcessService.class)) {
            assertThat(app.containsBean("pubSubTrailingSlashFilter")).isFalse();
        }
    }

    private static ConfigurableApplicationContext run(PubSubServer server, Class<?> bean, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        arguments.add("--spring.main.banner-mode=off");
        arguments.add("--server.address=127.0.0.1");
        arguments.add("--server.port=0");
        arguments.add("--flowable.eventregistry.deploy-resources=false");
        arguments.add("--flowable.pubsub.project-id=sample");
        arguments.add("--flowable.pubsub.emulator-host=" + server.endpoint());
        return new SpringApplicationBuilder(App.class, bean).run(arguments.toArray(String[]::new));
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext app, String path)
            throws IOException, InterruptedException {
        String port = app.getEnvironment().getRequiredProperty("local.server.port");
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString());
    }
}
