package io.github.flowablepubsub.sample;

import org.flowable.engine.delegate.DelegateExecution;
import org.flowable.engine.delegate.JavaDelegate;
import org.springframework.stereotype.Component;

/** Step "Auftrag übergeben": hands the order over to the service provider. */
@Component
class AuftragUebergeben implements JavaDelegate {

    private final ServiceProvider provider;

    AuftragUebergeben(ServiceProvider provider) {
        this.provider = provider;
    }

    @Override
    public void execute(DelegateExecution execution) {
        provider.handOver(
                execution.getVariable("auftragId", String.class), execution.getVariable("positionen", Integer.class));
    }
}
