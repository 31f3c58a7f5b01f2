package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The reader behind a portal: one query at one timestamp, whose rows are handed out when they are fetched. Where the
 * plan needs no rows together, nothing is read ahead of a fetch; the snapshot transaction waits in its fiber, and a
 * reading of a partition in its place. Elsewhere the whole result is read first, up to the limit of results, and held.
 *
 * <p>Invariant: the parts that were handed out, in their order, are the beginning of the result at the timestamp, and
 * each row is in one part. A reader that cannot go on fails; it never begins anew once a part was handed out.
 * Thread-safe; its owner fetches the next part when it has the one before.
 */
public final class PortalReader implements ControlCode, PortalReaders.Reader {
    /** Hears of the parts. Called on any thread; must not block. */
    public interface Listener {
        /**
         * The part that was fetched.
         *
         * @param rows a result block
         * @param isLast whether no rows are left; the last call then
         * @param snapshot timestamp of the state that is read
         */
        void part(byte[] rows, boolean isLast, long snapshot);

        /** No part comes any more; the last call. */
        void failed(ErrorCode code, String message);
    }

    /** Shared parts of all readers of a node. */
    record Tools(
            TargetSource targets,
            PartitionRuntimes runtimes,
            CallWorkspaces workspaces,
            CallLimits limits,
            NodeServices services) {
        /** Says what to do about a result that is too large. */
        FulmarException tooLarge(boolean isMerged, FulmarException failure) {
            int most = limits.maxResultBytes();
            return new FulmarException(
                    ErrorCode.RESULT_TOO_LARGE,
                    isMerged
                            ? "the rows are put together before the first is handed out, as for ORDER BY, GROUP BY,"
                                    + " DISTINCT and most joins, and take more than the limit of " + most
                                    + " bytes; select fewer rows or columns, leave out what puts them together, or raise"
                                    + " server.limits.result"
                            : "a part of the result takes more than the limit of " + most
                                    + " bytes; fetch fewer rows at a time, lower portals.part-bytes, or raise"
                                    + " server.limits.result",
                    failure);
        }

        /** The query's scan; null if its rows have to be brought together, or kept, before the first is known. */
        @Nullable PortalScan scan(
                TargetSource.Prepared prepared, byte[] parameters, PartitionId home, long micros, long timeNanos) {
            return PortalScan.of(prepared, parameters, runtimes, home, micros, timeNanos);
        }
    }

    /** A query that has begun to be read. */
    private record Begun(
            SnapshotTransaction transaction, TransactionRequest.AdHoc query, PartitionId home, BudgetLimits budget) {}

    private final Tools tools;
    private final ByteBudget memory;
    private final Listener listener;
    private final AtomicReference<@Nullable PartSize> wish = new AtomicReference<>();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<@Nullable HeldWorkspace> workspace = new AtomicReference<>();
    private final AtomicReference<@Nullable HeldRows> held = new AtomicReference<>();

    private final AtomicReference<@Nullable Begun> begun = new AtomicReference<>();
    private volatile long snapshot;

    /** Whether all rows are read and held. */
    private volatile boolean isRead;

    private boolean handsOut;
    private long micros;

    PortalReader(Tools tools, ByteBudget memory, Listener listener) {
        this.tools = tools;
        this.memory = memory;
        this.listener = listener;
    }

    /** Takes what it reads, before its transaction starts; false if it has ended already. */
    boolean begin(SnapshotTransaction own, TransactionRequest.AdHoc query, PartitionId home, BudgetLimits budget) {
        begun.set(new Begun(own, query, home, budget));
        return !over.get();
    }

    private Begun begun() {
        Begun known = begun.get();
        if (known == null) {
            throw Invariants.breach("a reader takes its query before it runs");
        }
        return known;
    }

    /** Fetches the next part. */
    public void fetch(PartSize size) {
        PartSize earlier = wish.getAndSet(size);
        Invariants.check(earlier == null, "a part is fetched after the one before");
        Begun known = begun.get();
        if (isRead) {
            handOut();
        } else if (known != null) {
            known.transaction().wake();
        }
    }

    /** Ends the reader for a reason that its listener hears, unless it has ended. */
    @Override
    public void end(ErrorCode code, String message) {
        if (begun.get() == null || held.get() != null) {
            fail(code, message);
        }
        Begun known = begun.get(); // one that begins meanwhile sees that it is over, or is seen here
        if (known != null) {
            known.transaction().cancel(code, message);
        }
    }

    private void fail(ErrorCode code, String message) {
        if (over.compareAndSet(false, true)) {
            giveBack();
            listener.failed(code, message);
        }
    }

    private void giveBack() {
        HeldRows rows = held.getAndSet(null);
        if (rows != null) {
            memory.giveBack(rows.bytes());
        }
    }

    /** Fulfils the wish from the rows that are held, unless it is fulfilled. */
    private void handOut() {
        HeldRows rows = held.get();
        PartSize size = rows == null ? null : wish.getAndSet(null);
        if (rows != null && size != null) {
            handOut(rows, size);
        }
    }

    private void handOut(HeldRows rows, PartSize size) {
        byte[] part = rows.next(size);
        boolean isLast = rows.isAtEnd();
        if (!isLast) {
            listener.part(part, false, snapshot);
        } else if (over.compareAndSet(false, true)) {
            giveBack();
            listener.part(part, true, snapshot);
        }
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        if (!(dispatch instanceof SnapshotAttempt attempt)) {
            throw Invariants.breach("a portal reads a snapshot");
        }
        if (handsOut) {
            throw new FulmarException(
                    ErrorCode.SNAPSHOT_TOO_OLD,
                    "tables or their partitions changed while the portal was open; open it again");
        }
        if (micros == 0) {
            micros = tools.services().clock().wallMicros();
        }
        Begun own = begun();
        TargetSource.Prepared prepared = tools.targets().prepare(own.query());
        PortalScan scan = tools.scan(
                prepared,
                own.query().parameters(),
                own.home(),
                micros,
                own.budget().timeNanos());
        try {
            return scan == null ? readAll(prepared, attempt) : readOn(scan, attempt);
        } catch (FulmarException failure) {
            throw failure.code() == ErrorCode.RESULT_TOO_LARGE ? tools.tooLarge(scan == null, failure) : failure;
        }
    }

    // Rows that are handed out as they are read.

    private Committed readOn(PortalScan scan, SnapshotAttempt attempt) {
        attempt.register(scan.partitions());
        ScannedParts parts = new ScannedParts(scan, tools, attempt, ScannedParts.ONLY);
        while (true) {
            attempt.await(() -> wish.get() != null);
            PartSize size = wish.get();
            if (size == null) {
                throw Invariants.breach("a wish waits until it is fulfilled");
            }
            byte[] part = parts.next(size);
            handsOut = true;
            wish.set(null);
            if (parts.isAtEnd()) {
                return new Committed(TransactionResponse.Kind.TABLE, 0, part);
            }
            listener.part(part, false, attempt.timestamp());
        }
    }

    // Rows that are brought together first.

    private TransactionResponse readAll(TargetSource.Prepared prepared, SnapshotAttempt attempt) {
        HeldWorkspace own = new HeldWorkspace(tools.workspaces());
        HeldWorkspace earlier = workspace.getAndSet(own);
        if (earlier != null) {
            earlier.ended();
        }
        Begun known = begun();
        IncomingRequest incoming = new IncomingRequest(known.query(), (asked, response) -> {}, 0);
        Committed whole = own.get().run(prepared, attempt, known.home(), incoming, known.budget(), micros, 0);
        return hold(whole.results())
                ? new Committed(TransactionResponse.Kind.NOTHING, 0, new byte[0])
                : new Failed(
                        ErrorCode.SERVER_BUSY,
                        "the results that open portals hold take the node's limit of " + memory.limitBytes()
                                + " bytes; close some, select fewer rows, or raise portals.memory-limit");
    }

    private boolean hold(byte[] block) {
        if (!memory.take(block.length)) {
            return false;
        }
        held.set(new HeldRows(block));
        return true;
    }

    // The end of the transaction.

    @Override
    public void interrupt(ControlSignal signal) {
        HeldWorkspace own = workspace.get();
        if (own != null) {
            own.interrupt(signal);
        }
    }

    @Override
    public void ended() {
        HeldWorkspace own = workspace.getAndSet(null);
        if (own != null) {
            own.ended();
        }
    }

    /** The transaction is over, and has left all partitions. */
    void completed(TransactionResponse response) {
        if (response instanceof Failed(ErrorCode code, String message, var _)) {
            fail(code, message);
            return;
        }
        Committed done = (Committed) response;
        snapshot = done.snapshot();
        if (held.get() == null) {
            if (over.compareAndSet(false, true)) {
                listener.part(done.results(), true, done.snapshot());
            }
        } else {
            isRead = true; // a wish that comes meanwhile is seen here, or sees this
            handOut();
        }
    }
}
