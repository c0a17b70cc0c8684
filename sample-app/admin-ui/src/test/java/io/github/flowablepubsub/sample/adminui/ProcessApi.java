package io.github.flowablepubsub.sample.adminui;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The sample's REST API, by hand. */
final class ProcessApi {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    private final ObjectMapper json = new ObjectMapper();
    private final String url;
    private final String authorization;

    ProcessApi(String url, String user, String password) {
        this.url = url;
        this.authorization =
                "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** Execution ids of the tokens of an order that wait. */
    List<String> tokens(String order) throws IOException, InterruptedException {
        List<String> ids = new ArrayList<>();
        data("/runtime/executions?activityId=wartenAufAbschluss&processInstanceId=" + instance(order))
                .forEach(execution -> ids.add(execution.get("id").asText()));
        return ids;
    }

    /** Ends one token; the others of its process stay. */
    void removeToken(String execution) throws IOException, InterruptedException {
        send(request("/runtime/executions/" + execution + "/change-state")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"startActivityIds\": []}")));
    }

    /** Waits until the process of an order has ended. */
    void awaitEnd(String order) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (data("/history/historic-process-instances?finished=true&businessKey=" + order)
                .isEmpty()) {
            assertThat(System.nanoTime()).as("order %s ends in time", order).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** How often an order was invoiced. */
    int invoices(String order) throws IOException, InterruptedException {
        return data("/history/historic-activity-instances?activityId=rechnungStellen&processInstanceId="
                        + instance(order))
                .size();
    }

    private String instance(String order) throws IOException, InterruptedException {
        return data("/history/historic-process-instances?businessKey=" + order)
                .required(0)
                .get("id")
                .asText();
    }

    private JsonNode data(String path) throws IOException, InterruptedException {
        return json.readTree(send(request(path))).required("data");
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).header("Authorization", authorization);
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return response.body();
    }
}
