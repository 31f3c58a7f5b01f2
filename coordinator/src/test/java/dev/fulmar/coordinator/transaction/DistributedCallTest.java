package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call may be interrupted in the moment in which it ends; the next call must not notice. */
class DistributedCallTest {
    private final SimulatedProcess process = new SimulatedWorld(1).startProcess(new NodeId(1));
    private final CallWorkspaces workspaces =
            new CallWorkspaces(new PartitionRuntimes(List.of()), CallLimits.DEFAULT, SteppedServices.of(process));

    private DistributedCall call() {
        return new DistributedCall(
                new IncomingRequest(
                        new TransactionRequest.Call(7, 1, 0, "P", new byte[2]), (request, response) -> {}, 0),
                new NoTargets(),
                new PartitionId(0),
                null,
                BudgetLimits.DEFAULT,
                workspaces,
                0,
                0);
    }

    @Test
    void aWorkspaceIsUsedAgain() {
        CallWorkspace spare = workspaces.take();
        workspaces.giveBack(spare);
        call().ended();
        assertThat(workspaces.take()).isSameAs(spare);
    }

    @Test
    void aWorkspaceThatWasInterruptedIsNot() {
        CallWorkspace spare = workspaces.take();
        workspaces.giveBack(spare);
        DistributedCall call = call();
        call.interrupt(new AttemptEnded("too late"));
        call.interrupt(new AttemptEnded("again"));
        call.ended();
        assertThat(workspaces.take()).isNotSameAs(spare);
    }
}
