package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.foundation.check.Invariants;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A workspace while a transaction's control code has it. One that was interrupted is not used again. The signal may
 * come when the call is over, and would end the next one. Its methods are for the fiber but for {@link #interrupt}.
 */
final class HeldWorkspace {
    private final CallWorkspaces workspaces;
    private final CallWorkspace workspace;
    private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.RUNS);

    private enum Fate {
        RUNS,
        INTERRUPTED,
        OVER
    }

    HeldWorkspace(CallWorkspaces workspaces) {
        this.workspaces = workspaces;
        this.workspace = workspaces.take();
    }

    /** For an attempt that runs. */
    CallWorkspace get() {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    fate.get() != Fate.OVER, "a coordinator begins no attempt after it gave its workspace back");
        }
        return workspace;
    }

    /** Ends the computation of the running attempt soon; any thread. */
    void interrupt(ControlSignal signal) {
        if (fate.compareAndSet(Fate.RUNS, Fate.INTERRUPTED) || fate.get() == Fate.INTERRUPTED) {
            workspace.interrupt(signal);
        }
    }

    /** No attempt will run any more. */
    void ended() {
        if (fate.compareAndSet(Fate.RUNS, Fate.OVER)) {
            workspaces.giveBack(workspace);
        } else {
            workspaces.forget(workspace);
        }
    }
}
