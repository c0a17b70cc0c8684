package io.github.flowablepubsub.sample;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Table {@code rechnung}: at most one invoice per order, however often the step runs; it counts how often. */
@Component
class Invoices {

    /**
     * One invoice.
     *
     * @param positionen as the service provider reported them
     * @param aufrufe how often the step was committed
     */
    record Invoice(int positionen, int aufrufe) {}

    private final JdbcClient jdbc;

    Invoices(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void write(String auftragId, int positionen) {
        int counted = jdbc.sql("update rechnung set aufrufe = aufrufe + 1 where auftrag_id = ?")
                .param(auftragId)
                .update();
        if (counted == 0) {
            jdbc.sql("insert into rechnung (auftrag_id, positionen, aufrufe) values (?, ?, 1)")
                    .param(auftragId)
                    .param(positionen)
                    .update();
        }
    }

    Optional<Invoice> find(String auftragId) {
        return jdbc.sql("select positionen, aufrufe from rechnung where auftrag_id = ?")
                .param(auftragId)
                .query((row, number) -> new Invoice(row.getInt("positionen"), row.getInt("aufrufe")))
                .optional();
    }
}
