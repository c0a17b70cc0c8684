package io.github.flowablepubsub.inbox;

import static io.github.flowablepubsub.inbox.MessageState.DISCARDED;
import static io.github.flowablepubsub.inbox.MessageState.DONE;
import static io.github.flowablepubsub.inbox.MessageState.OPEN;
import static io.github.flowablepubsub.inbox.MessageState.PARKED;
import static io.github.flowablepubsub.inbox.MessageState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MessageStateTest {

    @Test
    void whatMayFollow() {
        assertThat(OPEN.successors()).containsExactlyInAnyOrder(OPEN, WAITING, PARKED, DONE, DISCARDED);
        assertThat(WAITING.successors()).containsExactlyInAnyOrder(OPEN, PARKED, DISCARDED);
        assertThat(PARKED.successors()).containsExactlyInAnyOrder(OPEN, DISCARDED);
        assertThat(DONE.successors()).isEmpty();
        assertThat(DISCARDED.successors()).isEmpty();
    }

    @Test
    void anotherTransitionIsRefusedInWords() {
        PARKED.requireSuccessor(OPEN, 4711);
        assertThatThrownBy(() -> PARKED.requireSuccessor(DONE, 4711))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Inbox row 4711 can't change from PARKED to DONE; allowed: [OPEN, DISCARDED]");
    }
}
