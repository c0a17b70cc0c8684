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
        EventPayload definition = EventPayload.correlation("auftragId", "string");
        List<EventPayloadInstance> payload = List.of(new EventPayloadInstanceImpl(definition, auftragId));
        return MessageKeys.of(new Reading.Events(List.of(new EventInstanceImpl("e", payload, tenantId))), "17");
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
