package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all partitions that is held over several queries: a snapshot transaction that waits for the next one.
 * With the first query it registers everywhere, so that it has all that was acknowledged before. Cursors read it as
 * portals read theirs, part by part.
 *
 * <p>Invariant: all answers are of one state of the database. A snapshot that partitions have given up answers nothing
 * more but failures, as does one whose catalog or plan has changed. Thread-safe; its owner asks when it has the answer
 * before.
 */
public final class HeldSnapshot implements ControlCode, PortalReaders.Reader {
    /** A question to the snapshot. */
    public sealed interface Question {
        TransactionRequest.AdHoc request();

        /**
         * All rows of a query that is planned already, and allowed.
         *
         * @param home where a statement runs that can run anywhere
         */
        record Query(TransactionRequest.AdHoc request, PartitionId home) implements Question {}

        /** Such a query whose rows are fetched later. */
        record Declare(TransactionRequest.AdHoc request, PartitionId home, int cursor) implements Question {}

        /** So many rows of a cursor, or those that are left. */
        record Fetch(TransactionRequest.AdHoc request, int cursor, int rows) implements Question {}

        /** Skips so many rows of a cursor, or those that are left; answers how many. */
        record Move(TransactionRequest.AdHoc request, int cursor, int rows) implements Question {}
    }

    private record Asked(Question question, ResponseSink sink) {
        void answer(TransactionResponse response) {
            sink.respond(question.request(), response);
            sink.flush();
        }
    }

    /** Rows that are skipped are read in blocks of so many bytes at most. */
    private static final int SKIPPED_BYTES = 64 << 10;

    private final PortalReader.Tools tools;
    private final long micros;
    private final long seed;
    private final ByteBudget memory;
    private final Consumer<HeldSnapshot> starter;

    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicReference<@Nullable SnapshotTransaction> transaction = new AtomicReference<>();
    private final AtomicReference<@Nullable Asked> wish = new AtomicReference<>();
    private final ConcurrentLinkedQueue<Integer> closed = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable HeldWorkspace> workspace = new AtomicReference<>();

    /** Why it was ended. */
    private final AtomicReference<@Nullable Failed> reason = new AtomicReference<>();

    /** Why it answers nothing more. */
    private final AtomicReference<@Nullable Failed> over = new AtomicReference<>();

    // Touched by its fiber.
    private final TreeMap<Integer, RowParts> cursors = new TreeMap<>();
    private long heldBytes;
    private @Nullable Program program;
    private long asked;

    private volatile boolean hasAnswered;

    HeldSnapshot(PortalReader.Tools tools, long micros, long seed, ByteBudget memory, Consumer<HeldSnapshot> starter) {
        this.tools = tools;
        this.micros = micros;
        this.seed = seed;
        this.memory = memory;
        this.starter = starter;
    }

    /** Whether it has answered, so that its state is chosen. */
    public boolean hasAnswered() {
        return hasAnswered;
    }

    /** Whether it answers nothing but failures. */
    public boolean isOver() {
        return over.get() != null || reason.get() != null;
    }

    /** Asks it; the answer goes to the sink. */
    public void ask(Question question, ResponseSink sink) {
        Asked next = new Asked(question, sink);
        Asked earlier = wish.getAndSet(next);
        Invariants.check(earlier == null, "a snapshot is asked after it has answered the question before");
        Failed before = reason.get();
        if (before != null) { // it may have begun, and end meanwhile
            answerFor(before);
        } else if (started.compareAndSet(false, true)) {
            starter.accept(this);
        } else {
            SnapshotTransaction known = transaction.get();
            if (known != null) {
                known.wake();
            }
        }
        Failed ended = over.get();
        if (ended != null) {
            answerFor(ended);
        }
    }

    /** Gives up the rows of a cursor that are left. */
    public void close(int cursor) {
        closed.add(cursor);
        SnapshotTransaction known = transaction.get();
        if (known != null) {
            known.wake();
        }
    }

    private void answerFor(Failed failure) {
        Asked waiting = wish.getAndSet(null);
        if (waiting != null) {
            waiting.answer(failure);
        }
    }

    /** Takes the transaction that reads it, before that starts. */
    void begin(SnapshotTransaction own) {
        transaction.set(own);
        Failed ended = reason.get();
        if (ended != null) {
            own.cancel(ended.code(), ended.message());
        }
    }

    @Override
    public void end(ErrorCode code, String message) {
        reason.compareAndSet(null, new Failed(code, message));
        SnapshotTransaction known = transaction.get();
        if (known != null) { // else it sees the reason when it begins
            known.cancel(code, message);
        }
    }

    /** The transaction is over, and has left all partitions. */
    void completed(TransactionResponse response) {
        Failed failure = response instanceof Failed failed ? failed : tooOld();
        over.set(failure);
        answerFor(failure);
    }

    private static Failed tooOld() {
        return new Failed(
                ErrorCode.SNAPSHOT_TOO_OLD, "tables or their partitions changed since the snapshot was chosen");
    }

    @Override
    public TransactionResponse run(FragmentDispatch dispatch) {
        if (!(dispatch instanceof SnapshotAttempt attempt)) {
            throw Invariants.breach("a held snapshot reads a snapshot");
        }
        if (hasAnswered) {
            return tooOld();
        }
        program = null;
        attempt.registerEverywhere();
        while (true) {
            attempt.await(() -> wish.get() != null || !closed.isEmpty());
            for (Integer cursor = closed.poll(); cursor != null; cursor = closed.poll()) {
                end(cursor);
            }
            Asked next = wish.get();
            if (next != null) {
                TransactionResponse response = answer(next, attempt);
                hasAnswered = true;
                if (wish.compareAndSet(next, null)) { // else it was answered by whoever ended the snapshot
                    next.answer(response);
                }
            }
        }
    }

    private TransactionResponse answer(Asked next, SnapshotAttempt attempt) {
        try {
            return switch (next.question()) {
                case Question.Query(var query, PartitionId home) -> read(query, home, attempt, next.sink());
                case Question.Declare declare -> declare(declare, attempt);
                case Question.Fetch(var request, int cursor, int rows) -> {
                    byte[] block = fetch(cursor, rows);
                    if (block.length > ResponseSink.FREE_BYTES && !next.sink().reserve(request, block.length)) {
                        throw new FulmarException(
                                ErrorCode.MEMORY_LIMIT,
                                "there is no memory for " + block.length
                                        + " bytes of rows now, and the cursor is closed; declare it again and fetch"
                                        + " fewer rows at a time, or raise requests.memory-limit");
                    }
                    yield new Committed(Kind.TABLE, 0, block, attempt.timestamp());
                }
                case Question.Move(var _, int cursor, int rows) ->
                    new Committed(Kind.VALUE, move(cursor, rows), new byte[0], attempt.timestamp());
            };
        } catch (FulmarException failed) {
            return new Failed(failed.code(), String.valueOf(failed.getMessage()));
        }
    }

    private Committed read(
            TransactionRequest.AdHoc query, PartitionId home, SnapshotAttempt attempt, ResponseSink sink) {
        TargetSource.Prepared prepared = prepare(query);
        HeldWorkspace own = new HeldWorkspace(tools.workspaces());
        workspace.set(own);
        try {
            IncomingRequest incoming = new IncomingRequest(query, sink, 0);
            Committed done = own.get().run(prepared, attempt, home, incoming, budget(query), micros, seed + asked++);
            return new Committed(done.kind(), done.value(), done.results(), attempt.timestamp());
        } finally {
            workspace.set(null);
            own.ended();
        }
    }

    private BudgetLimits budget(TransactionRequest.AdHoc query) {
        return tools.limits().procedure().withTimeNanos(tools.limits().timeoutNanos(query.timeoutNanos()));
    }

    /** A catalog or plan that came later does not say how the tables were at the snapshot. */
    private TargetSource.Prepared prepare(TransactionRequest.AdHoc query) {
        TargetSource.Prepared prepared = tools.targets().prepare(query);
        Program known = program;
        if (known == null) {
            program = prepared.program();
        } else if (known != prepared.program()) {
            throw new FulmarException(tooOld().code(), tooOld().message());
        }
        return prepared;
    }

    // Cursors.

    private Committed declare(Question.Declare declared, SnapshotAttempt attempt) {
        TransactionRequest.AdHoc query = declared.request();
        TargetSource.Prepared prepared = prepare(query);
        PortalScan scan = tools.scan(
                prepared,
                query.parameters(),
                declared.home(),
                micros,
                budget(query).timeNanos());
        RowParts rows = scan == null
                ? readAll(query, declared.home(), attempt)
                : new ScannedParts(scan, tools, attempt, declared.cursor());
        RowParts earlier = cursors.put(declared.cursor(), rows);
        Invariants.check(earlier == null, "each cursor of a snapshot has a number of its own");
        return Committed.DONE;
    }

    private RowParts readAll(TransactionRequest.AdHoc query, PartitionId home, SnapshotAttempt attempt) {
        byte[] block;
        try {
            block = read(query, home, attempt, (asked, response) -> {}).results();
        } catch (FulmarException failure) {
            throw failure.code() == ErrorCode.RESULT_TOO_LARGE ? tools.tooLarge(true, failure) : failure;
        }
        if (!memory.take(block.length)) {
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the rows of the cursor are put together before the first is fetched, and take " + block.length
                            + " bytes, which are not left of transactions.memory-limit; select fewer rows, or leave out"
                            + " what puts them together, as ORDER BY");
        }
        heldBytes += block.length;
        return new HeldRows(block);
    }

    private RowParts cursor(int number) {
        RowParts known = cursors.get(number);
        if (known == null) {
            throw Invariants.breach("a cursor is declared before it is read");
        }
        return known;
    }

    /** A cursor that has lost rows on their way is over. */
    private byte[] fetch(int number, int rows) {
        RowParts from = cursor(number);
        byte[] block;
        try {
            block = from.next(new PartSize(rows, tools.limits().maxResultBytes()));
        } catch (FulmarException failure) {
            endAfter(failure, number);
            throw failure.code() == ErrorCode.RESULT_TOO_LARGE ? tooLarge() : failure;
        }
        if (rowCount(block) < rows && !from.isAtEnd()) {
            end(number);
            throw tooLarge();
        }
        return block;
    }

    /** Partitions give up what they keep for a cursor that has failed; its failure is the one that counts. */
    private void endAfter(FulmarException failure, int number) {
        try {
            end(number);
        } catch (FulmarException lost) {
            failure.addSuppressed(lost);
        }
    }

    private FulmarException tooLarge() {
        return new FulmarException(
                ErrorCode.RESULT_TOO_LARGE,
                "the rows that were to be fetched take more than the limit of "
                        + tools.limits().maxResultBytes()
                        + " bytes, and the cursor is closed; declare it again and fetch fewer rows at a time, or raise"
                        + " server.limits.result");
    }

    private long move(int number, int rows) {
        RowParts from = cursor(number);
        int moved = 0;
        int partBytes = Math.min(SKIPPED_BYTES, Math.max(1, tools.limits().maxResultBytes() / 2));
        while (moved < rows && !from.isAtEnd()) {
            moved += rowCount(from.next(new PartSize(rows - moved, partBytes)));
        }
        return moved;
    }

    private static int rowCount(byte[] block) {
        return new ResultBlock().wrap(block, 0, block.length).rowCount();
    }

    private void end(int number) {
        RowParts known = cursors.remove(number);
        if (known != null) {
            known.end();
        }
        if (known instanceof HeldRows rows) {
            heldBytes -= rows.bytes();
            memory.giveBack(rows.bytes());
        }
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
        cursors.clear();
        memory.giveBack(heldBytes);
        heldBytes = 0;
    }
}
