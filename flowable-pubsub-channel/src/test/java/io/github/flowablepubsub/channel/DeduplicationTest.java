package io.github.flowablepubsub.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.flowablepubsub.inbox.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.flowable.eventregistry.impl.runtime.EventInstanceImpl;
import org.flowable.eventregistry.impl.runtime.EventPayloadInstanceImpl;
import org.flowable.eventregistry.model.EventPayload;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeduplicationTest {

    private static final Map<String, String> ATTRIBUTES = Map.of("eventId", "E-1", "blank", " ");

    private static Reading event(String tenant, @Nullable Object orderId, @Nullable Object part) {
        List<EventPayloadInstance> payload = new ArrayList<>();
        payload.add(new EventPayloadInstanceImpl(EventPayload.correlation("orderId", "string"), orderId));
        payload.add(new EventPayloadInstanceImpl(EventPayload.correlation("part", "integer"), part));
        return new Reading.Events(List.of(new EventInstanceImpl("done", payload, tenant)));
    }

    private static @Nullable String key(String word, Reading reading) {
        return Deduplication.of(word, true).key(reading, ATTRIBUTES);
    }

    @Test
    void theKeyIsOfItsEventAndTenant() {
        Reading event = event("", "A-1", 3);
        assertThat(key("none", event)).isNull();
        assertThat(key("payload:orderId", event)).isEqualTo("done/A-1");
        assertThat(key("payload:part", event)).isEqualTo("done/3");
        assertThat(key("correlationKey", event)).isEqualTo("done/orderId=A-1,part=3");
        assertThat(key("payload:orderId", event("t", "A-1", 3))).isEqualTo("t/done/A-1");
        assertThat(key("attribute:eventId", event)).as("whatever the event").isEqualTo("E-1");
        assertThat(key("attribute:eventId", event("t", "A-1", 3))).isEqualTo("t/E-1");
    }

    @Test
    void aMessageWithoutTheValueHasNone() {
        assertThat(key("payload:other", event("", "A-1", 3))).isNull();
        assertThat(key("attribute:other", event("", "A-1", 3))).isNull();
        assertThat(key("attribute:blank", event("", "A-1", 3))).isNull();
        assertThat(key("correlationKey", event("", " ", null))).isNull();
        for (Object none : new Object[] {"", " ", "null"}) {
            assertThat(key("payload:orderId", event("", none, 3))).isNull();
        }
        assertThat(key("payload:orderId", event("", null, 3))).isNull();
    }

    /** One of two parameters does not pass for the other. */
    @Test
    void aPartOfTheCorrelationIsAKeyOfItsOwn() {
        assertThat(key("correlationKey", event("", "7", null))).isEqualTo("done/orderId=7");
        assertThat(key("correlationKey", event("", null, "7"))).isEqualTo("done/part=7");
    }

    @Test
    void whatCantBeReadHasItsAttributesOnly() {
        for (Reading reading :
                List.of(new Reading.Unreadable("x"), new Reading.UnknownEvent("e"), new Reading.Filtered())) {
            assertThat(key("attribute:eventId", reading)).isEqualTo("E-1");
            assertThat(key("payload:orderId", reading)).isNull();
            assertThat(key("correlationKey", reading)).isNull();
        }
    }

    @Test
    void longAndUnusualValuesFitAndStayDifferent() {
        for (String end : new String[] {"a", "b", "\0", "\ud800"}) {
            String key = key("payload:orderId", event("", "x".repeat(100_000) + end, 3));
            assertThat(key).startsWith("done/xxx").hasSizeLessThanOrEqualTo(Keys.MAX_LENGTH);
            assertThat(key).isNotEqualTo(key("payload:orderId", event("", "x".repeat(100_000) + "c", 3)));
        }
    }
}
