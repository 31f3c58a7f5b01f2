package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/** The pool of workspaces that calls have given back: making one costs more than a small transaction. Thread-safe. */
final class CallWorkspaces {
    private static final int CAPACITY = 64;

    /** One that an unusual call has grown beyond this is not kept. */
    private static final int MAX_KEPT_BYTES = 1 << 20;

    private final MpmcVarHandleArrayQueue<CallWorkspace> spare = new MpmcVarHandleArrayQueue<>(CAPACITY);
    private final PartitionRuntimes runtimes;
    private final CallLimits limits;
    private final NodeServices services;

    CallWorkspaces(PartitionRuntimes runtimes, CallLimits limits, NodeServices services) {
        this.runtimes = runtimes;
        this.limits = limits;
        this.services = services;
    }

    int partitions() {
        return runtimes.count();
    }

    CallWorkspace take() {
        @Nullable CallWorkspace known = spare.poll();
        if (known != null) {
            return known;
        }
        ProcedureExecution execution = new ProcedureExecution(
                services.clock(), services.allocatedBytes(), limits.maxResultBytes(), services.underWay());
        return new CallWorkspace(
                execution,
                new DistributedStatements(
                        runtimes, services.clock(), limits.intermediateBytes(), execution::checkBudget),
                services.underWay());
    }

    /** Drops a workspace that a late signal may still reach, so that no later call meets that signal. */
    void forget(CallWorkspace workspace) {
        workspace.shrink();
    }

    /** Gives back a workspace that no call uses any more. */
    void giveBack(CallWorkspace workspace) {
        workspace.shrink();
        if (workspace.keptBytes() <= MAX_KEPT_BYTES) {
            spare.offer(workspace);
        }
    }
}
