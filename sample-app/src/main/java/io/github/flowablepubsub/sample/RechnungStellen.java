package io.github.flowablepubsub.sample;

import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.springframework.stereotype.Component;

/** Step "Rechnung stellen": writes the invoice in the transaction of the process. */
@Component
class RechnungStellen implements JavaDelegate {

    private final Invoices invoices;

    RechnungStellen(Invoices invoices) {
        this.invoices = invoices;
    }

    @Override
    public void execute(DelegateExecution execution) {
        invoices.write(
                execution.getVariable("auftragId", String.class),
                execution.getVariable("erledigtePositionen", Integer.class));
    }
}
