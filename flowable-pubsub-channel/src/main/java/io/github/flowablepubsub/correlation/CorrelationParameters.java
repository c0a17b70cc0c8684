package io.github.flowablepubsub.correlation;

import io.github.flowablepubsub.channel.RememberedDefinitions;
import java.util.LinkedHashSet;
import java.util.Set;
import org.flowable.eventregistry.api.runtime.EventInstance;
import org.flowable.eventregistry.model.EventModel;
import org.flowable.eventregistry.model.EventPayload;

/** Which correlation parameters an event's definition has, with and without a value in the message. */
final class CorrelationParameters {

    private final RememberedDefinitions definitions;

    CorrelationParameters(RememberedDefinitions definitions) {
        this.definitions = definitions;
    }

    /** Their names; a set of its own. */
    Set<String> names(EventInstance event) {
        Set<String> names = new LinkedHashSet<>();
        EventModel model = definitions.modelOf(event);
        if (model != null) {
            model.getCorrelationParameters().stream().map(EventPayload::getName).forEach(names::add);
        }
        return names;
    }
}
