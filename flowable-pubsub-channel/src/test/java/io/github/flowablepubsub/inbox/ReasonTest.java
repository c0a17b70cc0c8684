package io.github.flowablepubsub.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReasonTest {

    /** Parsers and processes quote; the others have no error of their own, so that an older one may stand with them. */
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"UNREADABLE", "PROCESS_FAILED", "HELD_BACK", "FILTERED", "UNIQUE_INSTANCE_EXISTS", "fremd"})
    void errorsThatMayQuoteTheBody(String reason) {
        assertThat(Reason.errorMayQuote(reason)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"NO_MATCH", "AMBIGUOUS", "SUBSCRIPTION_GONE", "SUSPENDED", "PARKED_BY_OPERATOR"})
    void errorsInThePluginsWords(String reason) {
        assertThat(Reason.errorMayQuote(reason)).isFalse();
    }
}
