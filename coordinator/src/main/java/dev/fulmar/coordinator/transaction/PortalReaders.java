package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.id.TransactionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The readers behind this node's portals and transactions that only read, oldest first. Thread-safe. */
public final class PortalReaders {
    /** A reader that lasts, until it is ended. */
    interface Reader {
        /** Ends it for a reason that its owner hears. */
        void end(ErrorCode code, String message);
    }

    /** Snapshots that transactions of this node's clients may hold at once. */
    private static final int MOST_SNAPSHOTS = 1_000;

    private final PortalReader.Tools tools;
    private final PartitionTransport transport;
    private final LiveTransactions live;
    private final Supplier<TransactionId> ids;
    private final ConcurrentSkipListMap<TransactionId, Reader> started = new ConcurrentSkipListMap<>();
    private final AtomicInteger snapshots = new AtomicInteger();
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
        SnapshotTransaction transaction = transaction(id, reader, strict, reader::completed);
        if (reader.begin(transaction, query, home, budget)) {
            start(transaction, reader);
        }
    }

    /**
     * A snapshot of everything, which begins with its first query.
     *
     * @param micros time of its queries, since the epoch
     * @param seed of their random numbers
     * @param memory from which it takes results that it holds
     */
    public HeldSnapshot hold(long micros, long seed, ByteBudget memory) {
        return new HeldSnapshot(tools, micros, seed, memory, this::start);
    }

    private void start(HeldSnapshot snapshot) {
        if (snapshots.incrementAndGet() > MOST_SNAPSHOTS) {
            snapshots.decrementAndGet();
            snapshot.completed(new TransactionResponse.Failed(
                    ErrorCode.SERVER_BUSY,
                    MOST_SNAPSHOTS + " transactions that only read hold snapshots on this node; end some, or begin"
                            + " again after a moment"));
            return;
        }
        SnapshotTransaction transaction = transaction(ids.get(), snapshot, true, response -> {
            snapshots.decrementAndGet();
            snapshot.completed(response);
        });
        snapshot.begin(transaction);
        start(transaction, snapshot);
    }

    private SnapshotTransaction transaction(
            TransactionId id, ControlCode control, boolean strict, Consumer<TransactionResponse> completed) {
        return new SnapshotTransaction(
                id,
                tools.services().clock(),
                tools.runtimes(),
                transport,
                tools.services().fibers(),
                control,
                strict,
                false,
                (response, restarts) -> {
                    live.remove(id);
                    started.remove(id);
                    completed.accept(response);
                });
    }

    private void start(SnapshotTransaction transaction, Reader reader) {
        live.add(transaction, null);
        started.put(transaction.id(), reader);
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

    private static void end(Reader reader) {
        reader.end(
                ErrorCode.NODE_STOPPING,
                "the node stops, and what it reads for clients in parts ends; open it again at another node");
    }
}
