package io.github.flowablepubsub.sample;

import java.util.List;
import java.util.Map;
import org.flowable.engine.HistoryService;
import org.flowable.engine.RuntimeService;
import org.flowable.engine.runtime.Execution;
import org.flowable.engine.runtime.ProcessInstance;
import org.springframework.stereotype.Component;

/** The orders' processes. */
@Component
class Orders {

    static final String PROCESS = "auftrag-ausfuehrung";

    private static final String HAND_OVER = "auftragUebergeben";
    private static final String WAIT = "wartenAufAbschluss";

    private final RuntimeService runtime;
    private final HistoryService history;

    Orders(RuntimeService runtime, HistoryService history) {
        this.runtime = runtime;
        this.history = history;
    }

    void start(String auftragId, int positionen) {
        runtime.startProcessInstanceByKey(PROCESS, auftragId, Map.of("auftragId", auftragId, "positionen", positionen));
    }

    /** Tokens that wait for the completion of this order. */
    List<Execution> waiting(String auftragId) {
        return runtime.createExecutionQuery()
                .processInstanceBusinessKey(auftragId, true)
                .activityId(WAIT)
                .list();
    }

    /** What the operator does to hand an order over again: the token that waits stays, a second one comes. */
    void handOverAgain(String auftragId) {
        runtime.createChangeActivityStateBuilder()
                .processInstanceId(instance(auftragId).getId())
                .moveSingleActivityIdToActivityIds(WAIT, List.of(HAND_OVER, WAIT))
                .changeState();
    }

    /** The repair: of all tokens that wait, one is left. */
    void mergeTokens(String auftragId) {
        List<String> tokens = waiting(auftragId).stream().map(Execution::getId).toList();
        runtime.createChangeActivityStateBuilder()
                .processInstanceId(instance(auftragId).getId())
                .moveExecutionsToSingleActivityId(tokens, WAIT)
                .changeState();
    }

    Ending.Progress progress(String auftragId) {
        if (isRunning(auftragId)) {
            return Ending.Progress.OPEN;
        }
        return history.createHistoricProcessInstanceQuery()
                                .processInstanceBusinessKey(auftragId)
                                .count()
                        > 0
                ? Ending.Progress.ENDED
                : Ending.Progress.NONE;
    }

    boolean isRunning(String auftragId) {
        return runtime.createProcessInstanceQuery()
                        .processInstanceBusinessKey(auftragId)
                        .count()
                > 0;
    }

    private ProcessInstance instance(String auftragId) {
        return runtime.createProcessInstanceQuery()
                .processInstanceBusinessKey(auftragId)
                .singleResult();
    }
}
