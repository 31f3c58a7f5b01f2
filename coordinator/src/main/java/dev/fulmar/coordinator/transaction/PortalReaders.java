package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** The readers behind this node's portals, oldest first. Thread-safe. */
public final class PortalReaders {
    private final PortalReader.Tools tools;
    private final PartitionTransport transport;
    private final LiveTransactions live;
    private final Supplier<TransactionId> ids;
    private final ConcurrentSkipListMap<TransactionId, PortalReader> started = new ConcurrentSkipListMap<>();
    private volatile boolean stopping;

    PortalReaders(
            TargetSource targets,
            PartitionRuntimes runtimes,
            CallWorkspaces workspaces,
            CallLimits limits,
            NodeServices services,
            PartitionTransport transport,
            LiveTransactions live,
            Supplier<TransactionId> ids) {
        this.tools = new PortalReader.Tools(targets, runtimes, workspaces, limits, services);
        this.transport = transport;
        this.live = live;
        this.ids = ids;
    }

    /** Time that a fetch of the request may take. */
    public long timeoutNanos(TransactionRequest request) {
        return tools.limits().timeoutNanos(request.timeoutNanos());
    }

    /**
     * A reader that has not started.
     *
     * @param memory from which it takes a result that it holds
     */
    public PortalReader reader(ByteBudget memory, PortalReader.Listener listener) {
        return new PortalReader(tools, memory, listener);
    }

    /**
     * Starts a reader, unless it has ended already.
     *
     * @param query planned already, and allowed
     * @param home where a statement runs that can run anywhere
     * @param strict whether everything that was acknowledged before must be seen
     */
    public void start(PortalReader reader, TransactionRequest.AdHoc query, PartitionId home, boolean strict) {
        TransactionId id = ids.get();
        BudgetLimits budget = tools.limits().procedure().withTimeNanos(timeoutNanos(query));
        SnapshotTransaction transaction = new SnapshotTransaction(
                id,
                tools.services().clock(),
                tools.runtimes(),
                transport,
                tools.services().fibers(),
                reader,
                strict,
                false,
                (response, restarts) -> {
                    live.remove(id);
                    started.remove(id);
                    reader.completed(response);
                });
        if (!reader.begin(transaction, query, home, budget)) {
            return;
        }
        live.add(transaction, null);
        started.put(id, reader);
        if (stopping) {
            end(reader);
        }
        transaction.start();
    }

    /** Ends all readers, and each that starts from now on: their clients may take longer than the node has. */
    public void stop() {
        stopping = true;
        started.values().forEach(PortalReaders::end);
    }

    private static void end(PortalReader reader) {
        reader.end(ErrorCode.NODE_STOPPING, "the node stops, and its portals end; open it again at another node");
    }
}
