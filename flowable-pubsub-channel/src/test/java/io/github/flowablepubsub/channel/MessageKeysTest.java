package io.github.flowablepubsub.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.flowable.eventregistry.api.runtime.EventPayloadInstance;
import org.flowable.eventregistry.impl.runtime.EventInstanceImpl;
import org.flowable.eventregistry.impl.runtime.EventPayloadInstanceImpl;
import org.flowable.eventregistry.model.EventPayload;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageKeysTest {

    private static MessageKeys keys(String tenantId, @Nullable Object auftragId) {
        return keys(tenantId, auftragId, Order.CORRELATION_KEY, "");
    }

    private static MessageKeys keys(String tenantId, @Nullable Object auftragId, Order order, String orderingKey) {
        List<EventPayloadInstance> payload = List.of(
                new EventPayloadInstanceImpl(EventPayload.correlation("auftragId", "string"), auftragId),
                new EventPayloadInstanceImpl(EventPayload.correlation("tranche", "integer"), 3));
        List<EventPayloadInstance> used = order.by() == Order.By.CORRELATION_KEY ? payload.subList(0, 1) : payload;
        return MessageKeys.of(
                new Reading.Events(List.of(new EventInstanceImpl("e", used, tenantId))), "17", order, orderingKey);
    }

    @Test
    void oneOfSeveralParametersIsTheOrder() {
        Order order = Order.of("parameter:auftragId");
        assertThat(keys("", "7", order, "k").orderKey()).isEqualTo("7");
        assertThat(keys("", "7", order, "k").correlationKey()).isEqualTo("auftragId=7,tranche=3");
        assertThat(keys("a", "7", order, "k").orderKey()).isEqualTo("a/7");
        assertThat(keys("", null, order, "k").orderKey()).as("no value").isEqualTo("#17");
        assertThat(keys("", "7", Order.of("parameter:other"), "k").orderKey()).isEqualTo("#17");
    }

    @Test
    void theOrderingKeyIsTheOrder() {
        Order order = Order.of("orderingKey");
        assertThat(keys("", "7", order, "k").orderKey()).isEqualTo("k");
        assertThat(keys("a", "7", order, "k").orderKey()).as("of all tenants").isEqualTo("k");
        assertThat(keys("", "7", order, "").orderKey()).as("without one").isEqualTo("#17");
        Reading unreadable = new Reading.Unreadable("not JSON");
        assertThat(MessageKeys.of(unreadable, "17", order, "k").orderKey()).isEqualTo("k");
        assertThat(MessageKeys.of(unreadable, "17", order, "").orderKey()).isEqualTo("#17");
        assertThat(MessageKeys.of(unreadable, "17", Order.CORRELATION_KEY, "k").orderKey())
                .isEqualTo("#17");
    }

    @Test
    void strictOrderIsByCorrelationKey() {
        assertThat(keys("a", "7", Order.of("strict"), "k").orderKey()).isEqualTo("a/auftragId=7,tranche=3");
        assertThat(keys("", null, Order.of("strict"), "k").orderKey()).isEqualTo("3");
    }

    @Test
    void withoutOrderEachMessageHasALaneOfItsOwn() {
        assertThat(keys("", "7", Order.of("none"), "k").orderKey()).isEqualTo("#17");
    }

    @Test
    void theSameKeyOfTwoTenantsIsTwoLanes() {
        assertThat(keys("a", "7").correlationKey()).isEqualTo("7");
        assertThat(keys("a", "7").orderKey()).isNotEqualTo(keys("b", "7").orderKey());
        assertThat(keys("", "7").orderKey()).isEqualTo("7");
    }

    @Test
    void withoutAValueAMessageHasALaneOfItsOwn() {
        for (Object none : new Object[] {"", " ", "null"}) {
            assertThat(keys("", none).orderKey()).isEqualTo("#17");
            assertThat(keys("", none).correlationKey()).isNull();
        }
        assertThat(keys("", null).orderKey()).isEqualTo("#17");
    }
}
