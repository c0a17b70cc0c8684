package io.github.flowablepubsub.sample.adminui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;

/** What an operator sees of a parked message in Flowable's own Admin UI, and does about it. */
class AdminUiTest {

    /** The one that the sample leaves with a double token. */
    private static final String ORDER = "A-1007";

    private static final String PASSWORD = "only-for-this-test";

    @Test
    void anOperatorFindsTheParkedMessageReadsWhyAndRepairsIt() throws IOException, InterruptedException {
        assumeTrue(Browser.isInstalled(), "chromium and chromedriver are on the PATH");
        Map<String, String> password = Map.of("SAMPLE_REST_PASSWORD", PASSWORD);
        int port = freePort();
        try (App sample = App.java(
                        "sample",
                        password,
                        "-jar",
                        sampleJar().toString(),
                        "--spring.profiles.active=admin-ui",
                        "--server.port=" + port);
                App adminUi = App.java(
                        "admin-ui",
                        password,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        AdminUi.class.getName(),
                        "--server.port=0",
                        "--sample.rest.port=" + port);
                Browser browser = Browser.start()) {
            String page = "http://127.0.0.1:" + adminUi.await("started on port\\(s\\): (\\d+)") + "/flowable-ui/admin/";
            String api = sample.await("REST +(http://127.0.0.1:\\d+/process-api)");
            repair(browser, page, new ProcessApi(api, "admin", PASSWORD));
        }
    }

    /** Both start at once, so the Admin UI must know where the sample will be. */
    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void repair(Browser browser, String page, ProcessApi api) throws IOException, InterruptedException {
        browser.open(page);
        browser.type("username", "admin");
        browser.type("password", "test");
        browser.click(By.className("login-button"));
        browser.textWith("Process Engine");

        browser.open(page + "#/jobs?jobType=deadletterJob");
        assertThat(browser.textWith("AMBIGUOUS")).contains("UNREADABLE", "NO_MATCH");
        browser.picture("admin-ui-jobs", 400);

        browser.click(By.xpath("//*[contains(@class, 'ngCellText')][contains(text(), 'AMBIGUOUS')]"));
        String record = browser.textWith("AMBIGUOUS.*What to do.*" + ORDER);
        browser.picture("admin-ui-job", 1000);
        List<String> tokens = api.tokens(ORDER);
        assertThat(tokens).hasSize(2);
        assertThat(record).contains(tokens).contains("Remove all but one", "erledigtePositionen");

        // The Admin UI can't remove a token, the REST API can.
        api.removeToken(tokens.get(0));
        assertThat(api.tokens(ORDER)).containsExactly(tokens.get(1));

        browser.click(By.xpath("//button[contains(., 'Move')]"));
        browser.textWith("moved");
        api.awaitEnd(ORDER);
        assertThat(api.invoices(ORDER)).isEqualTo(1);
        browser.open(page + "#/jobs?jobType=deadletterJob");
        assertThat(browser.textWith("UNREADABLE")).doesNotContain("AMBIGUOUS");
    }

    private static Path sampleJar() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../target"))) {
            return files.filter(file -> file.toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(
                            "The sample is not built: mvn -Pflowable-7 -DskipTests package, in the top directory"));
        }
    }
}
