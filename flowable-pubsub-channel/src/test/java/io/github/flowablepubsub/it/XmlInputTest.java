package io.github.flowablepubsub.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.testdb.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** XML channels: good messages go through, hostile ones are harmless and bounded in time (rule R8). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class XmlInputTest {

    private final Lab lab = Lab.start(TestDatabase.H2);

    @BeforeAll
    void start() {
        lab.server.createTopic("xml");
        lab.server.createSubscription("xml-sub", "xml");
        lab.node.deployEvents(Map.of(
                "x.channel", Models.channel("xml", "xml-sub", "{}", Lab.FIXED, ", \"deserializerType\": \"xml\"")));
        lab.node.deployProcess(Models.PROCESS);
    }

    @AfterAll
    void stop() {
        lab.close();
    }

    private static String order(String head, String auftragId) {
        return head + "<auftrag><auftragId>" + auftragId + "</auftragId></auftrag>";
    }

    private void aGoodOneGoesThrough(String auftragId) {
        String instance = lab.startOrder("auftrag-ausfuehrung", auftragId);
        lab.inbox.messageInState(lab.publish("xml", order("", auftragId)), "DONE");
        assertThat(lab.tasks(instance)).isEqualTo(1);
    }

    private InboxTable.Row publishHostile(String body) {
        String id = lab.publish("xml", body);
        Lab.eventually(
                "judged",
                () -> lab.inbox
                                .rows("MESSAGE_ID_ = '" + id + "' and STATE_ <> 'OPEN'")
                                .size()
                        == 1);
        InboxTable.Row row = lab.inbox.rows("MESSAGE_ID_ = '" + id + "'").get(0);
        assertThat(row.payload()).isEqualTo(body);
        lab.server.awaitEmpty("xml-sub", Duration.ofSeconds(60));
        return row;
    }

    @Test
    void xmlIsRead() {
        aGoodOneGoesThrough("4711");
        assertThat(publishHostile("kein XML").reason()).isEqualTo("UNREADABLE");
        aGoodOneGoesThrough("4712");
    }

    @Test
    void aFileIsNeverReadIntoAMessage(@TempDir Path folder) throws IOException {
        Path secret = Files.writeString(folder.resolve("geheim"), "sehr-geheim", UTF_8);
        String head = "<!DOCTYPE a [<!ENTITY g SYSTEM \"" + secret.toUri() + "\">]>";
        InboxTable.Row row = publishHostile(order(head, "&g;"));
        assertThat(row.reason()).isIn("UNREADABLE", "NO_CORRELATION_VALUE", "NO_MATCH");
        assertThat(String.valueOf(row.correlationKey())).doesNotContain("sehr-geheim");
        assertThat(String.valueOf(row.error())).doesNotContain("sehr-geheim");
        aGoodOneGoesThrough("nach-xxe");
    }

    @Test
    void noHostIsCalledForAMessage() throws IOException {
        try (ServerSocket host = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://" + host.getInetAddress().getHostAddress() + ":" + host.getLocalPort() + "/x.dtd";
            publishHostile(order("<!DOCTYPE auftrag SYSTEM \"" + url + "\">", "dtd"));
            publishHostile(order("<!DOCTYPE a [<!ENTITY % p SYSTEM \"" + url + "\"> %p;]>", "pe"));
            publishHostile(order("<!DOCTYPE a [<!ENTITY g SYSTEM \"" + url + "\">]>", "&g;"));
            host.setSoTimeout(500);
            boolean called = true;
            try {
                host.accept().close();
            } catch (SocketTimeoutException e) {
                called = false;
            }
            assertThat(called).isFalse();
        }
        aGoodOneGoesThrough("nach-ssrf");
    }

    @Test
    void aBillionLaughsEndSoon() {
        StringBuilder head = new StringBuilder("<!DOCTYPE a [<!ENTITY e0 \"lol\">");
        for (int i = 1; i < 12; i++) {
            head.append("<!ENTITY e").append(i).append(" \"");
            head.append(("&e" + (i - 1) + ";").repeat(10)).append("\">");
        }
        long begin = System.nanoTime();
        InboxTable.Row row = publishHostile(order(head.append("]>").toString(), "&e11;"));
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(10));
        assertThat(row.reason()).isIn("UNREADABLE", "NO_CORRELATION_VALUE", "NO_MATCH");
        assertThat(String.valueOf(row.correlationKey()).length()).isLessThan(256);
        aGoodOneGoesThrough("nach-lol");
    }

    @Test
    void deepXmlIsHarmless() {
        publishHostile("<a>".repeat(100_000) + "</a>".repeat(100_000));
        aGoodOneGoesThrough("nach-tief");
    }
}
