package io.github.flowablepubsub.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {

    @Test
    void columnsAreAlignedAndNumbersStandToTheRight() {
        Table table = new Table("order", "n", "words");
        table.row("A-1", "-", "short");
        table.row("A-1001", 3000, "a bit longer");
        assertThat(table.print().lines())
                .containsExactly(
                        "  order      n  words",
                        "  ------  ----  ------------",
                        "  A-1        -  short",
                        "  A-1001  3000  a bit longer");
    }
}
