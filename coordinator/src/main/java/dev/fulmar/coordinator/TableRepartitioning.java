package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.Repartitioning;
import dev.fulmar.coordinator.change.Repartitioning.Range;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.spi.CreateTableAsPlan;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places the rows of a table anew (ALTER TABLE ... PARTITION ON) by several statements, one after another. The first
 * one gives the table a successor, and nothing writes the table from then on. Others copy its rows, a piece in each
 * transaction. The last one lets the successor take the table's place. So readers find the table before or after, and
 * whatever fails, the table is as it was as soon as the successor is dropped. {@link UnfinishedTables} drops it if the
 * node dies.
 *
 * <p>The pieces follow the primary key if it has an order. Else they are the parts of one snapshot. If that cannot be
 * read to its end, all begins anew with another successor.
 */
final class TableRepartitioning {
    /** Rows of a piece: a few milliseconds. */
    private static final int FIRST_ROWS = 1000;

    private static final int PART_BYTES = 256 << 10;
    private static final int PARAMETER_BYTES = 1 << 10;
    private static final int MOST_PARAMETER_BYTES = 64 << 20;

    private final TransactionRequest request;
    private final OwnStatements ways;
    private final UnfinishedTables pending;
    private final Supplier<Catalog> catalog;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Limits limits;
    private final Consumer<TransactionResponse> answer;

    private Repartitioning repartitioning;
    private String name = "";
    private boolean isAnew;
    private int pieceRows = FIRST_ROWS;
    private long copied;

    /** Rows that are next, behind the key where the last piece ended. */
    private Range range = Range.ALL;

    private List<@Nullable Object> key = List.of();

    private Optional<FetchedParts.Source> reading = Optional.empty();

    /**
     * The limits of the statement, upon which it takes back what it has done.
     *
     * @param deadlineNanos when it gives up, on the monotonic clock: writes of the table are refused meanwhile
     * @param isCancelled whether its client has cancelled it
     */
    record Limits(long deadlineNanos, BooleanSupplier isCancelled) {}

    /**
     * @param request which asks for it, and whose rights were looked at
     * @param catalog the newest one of this node
     */
    TableRepartitioning(
            Repartitioning repartitioning,
            TransactionRequest request,
            OwnStatements ways,
            UnfinishedTables pending,
            Supplier<Catalog> catalog,
            Clock clock,
            Scheduler scheduler,
            Limits limits,
            Consumer<TransactionResponse> answer) {
        this.repartitioning = repartitioning;
        this.request = request;
        this.ways = ways;
        this.pending = pending;
        this.catalog = catalog;
        this.clock = clock;
        this.scheduler = scheduler;
        this.limits = limits;
        this.answer = answer;
    }

    /** The answer is that of the change by which the successor takes the table's place, or that of what failed. */
    void start() {
        if (isOver()) {
            return;
        }
        if (!repartitioning.isOrdered() && !pending.takeTurn(this)) {
            scheduler.schedule(PatientStatements.PAUSE_NANOS, () -> guarded(this::start));
            return;
        }
        name = pending.begin();
        Invariants.check(reading.isEmpty() || isAnew, "a placing that begins reads nothing yet");
        ways.change(
                statement(repartitioning.begin(name)), ChangeHandle.NONE, response -> guarded(() -> begun(response)));
    }

    private void begun(TransactionResponse response) {
        Table newest = catalog.get().tables().get(shown());
        if (response instanceof Failed failed && isAnew && PatientStatements.isPassing(failed.code())) {
            if (!isOver()) {
                startAnew();
            }
        } else if (response instanceof Failed failed) {
            takeBack(pending.failureHere(name, shown(), failed));
        } else if (newest == null) {
            takeBack(wasChanged());
        } else {
            // Other changes may have come before. None comes from now on.
            repartitioning = repartitioning.of(newest);
            if (repartitioning.isOrdered() || pending.takeTurn(this)) {
                copy();
            } else {
                takeBack(wasChanged());
            }
        }
    }

    private Failed wasChanged() {
        return new Failed(
                ErrorCode.TRANSACTION_RESTART,
                "table " + shown() + " was changed while its rows were to be placed; try again");
    }

    private String shown() {
        return repartitioning.table().name();
    }

    private boolean isLate() {
        return clock.monotonicNanos() - limits.deadlineNanos() >= 0;
    }

    /** Whether it has ended, as its time is over or nobody wants it any more. */
    private boolean isOver() {
        if (limits.isCancelled().getAsBoolean()) {
            takeBack(Answers.failed(CancelledRequests.failure()));
        } else if (isLate()) {
            takeBack(late());
        } else {
            return false;
        }
        return true;
    }

    private Failed late() {
        return new Failed(
                ErrorCode.TIMEOUT,
                "the rows of " + shown() + " were not placed within the time-out, after " + copied
                        + " of them; nothing was changed, give the statement a longer time-out");
    }

    private void copy() {
        if (isOver()) {
            return;
        }
        if (repartitioning.isOrdered()) {
            run(statement(repartitioning.lastKey(range, pieceRows), rangeValues()), this::copy, this::copyTo);
        } else {
            FetchedParts parts = new FetchedParts();
            FetchedParts.Source source = ways.read(statement(repartitioning.rows()), parts);
            reading = Optional.of(source);
            new Parts(parts, source).fetch();
        }
    }

    // Rows in the order of their key.

    /** @param found the last key of the piece, if rows remain behind it */
    private void copyTo(Committed found) {
        ResultBlock rows = new ResultBlock().wrap(found.results(), 0, found.results().length);
        if (!rows.next()) {
            run(statement(repartitioning.copy(name, range, true), rangeValues()), this::copy, done -> {
                copied += done.value();
                leaveRange();
            });
            return;
        }
        List<@Nullable Object> last = columns(rows);
        Invariants.check(last.size() == repartitioning.keyColumns(), "a piece ends at a key with all of its columns");
        List<@Nullable Object> values = new ArrayList<>(rangeValues());
        values.addAll(last.subList(range.equalColumns(), last.size()));
        run(statement(repartitioning.copy(name, range, false), values), this::copy, done -> {
            copied += done.value();
            key = last;
            range = new Range(false, last.size() - 1);
            copy();
        });
    }

    private static List<@Nullable Object> columns(ResultBlock row) {
        return IntStream.range(0, row.columnCount())
                .<@Nullable Object>mapToObj(row::object)
                .toList();
    }

    /** All rows of the range are copied: those with keys that are alike in fewer columns are next. */
    private void leaveRange() {
        Invariants.check(
                range.isAll() == key.isEmpty(), "the range of a piece begins behind a key, unless it is the first");
        if (range.equalColumns() == 0) {
            compare();
        } else {
            range = new Range(false, range.equalColumns() - 1);
            copy();
        }
    }

    private List<@Nullable Object> rangeValues() {
        return range.isAll() ? List.of() : key.subList(0, range.equalColumns() + 1);
    }

    // Rows without such an order.

    /** The parts of one snapshot, one after the other, and each by as many statements as it takes. */
    private final class Parts {
        private final FetchedParts parts;
        private final FetchedParts.Source source;
        private ResultBlock rows = new ResultBlock();
        private int next;

        Parts(FetchedParts parts, FetchedParts.Source source) {
            this.parts = parts;
            this.source = source;
        }

        void fetch() {
            if (isOver()) {
                return;
            }
            TableRepartitioning.this.fetch(parts, source, this::fetched);
        }

        private void fetched(FetchedParts.Answer fetched) {
            switch (fetched) {
                case FetchedParts.Answer.Broken(Failed _) when isLate() -> takeBack(late());
                case FetchedParts.Answer.Broken(Failed why) when PatientStatements.isPassing(why.code()) -> startAnew();
                case FetchedParts.Answer.Broken(Failed why) -> takeBack(UnfinishedTables.failure(name, shown(), why));
                case FetchedParts.Answer.Part(byte[] block, boolean isLast) -> {
                    rows = new ResultBlock().wrap(block, 0, block.length);
                    next = 0;
                    insert(isLast);
                }
            }
        }

        private void insert(boolean isLast) {
            if (next == rows.rowCount()) {
                if (isLast) {
                    compare();
                } else {
                    fetch();
                }
                return;
            }
            if (isOver()) {
                return;
            }
            int count = Math.min(rows.rowCount() - next, Math.min(pieceRows, repartitioning.mostInserted()));
            List<@Nullable Object> values = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                values.addAll(columns(rows.at(next + i)));
            }
            TransactionRequest.AdHoc insertion = statement(repartitioning.insertion(name, count), values);
            run(insertion, () -> insert(isLast), done -> {
                Invariants.check(done.value() == count, "a statement of so many rows inserts each of them");
                copied += done.value();
                next += count;
                insert(isLast);
            });
        }
    }

    /** Drops the successor, and begins with another one. */
    private void startAnew() {
        isAnew = true;
        copied = 0;
        ways.run(statement(CreateTableAsPlan.removal(name)), done -> {
            pending.end(name);
            scheduler.schedule(PatientStatements.PAUSE_NANOS, () -> guarded(this::start));
        });
    }

    // The end.

    /** Nothing has written the table meanwhile, nor another one its successor, so both must have the same rows. */
    private void compare() {
        digest(
                shown(),
                (List<@Nullable Object> there) -> digest(name, (List<@Nullable Object> here) -> compare(there, here)));
    }

    /** Reads in slices, as a portal does, for a table of any size. */
    private void digest(String of, Consumer<List<@Nullable Object>> then) {
        if (isOver()) {
            return;
        }
        FetchedParts parts = new FetchedParts();
        FetchedParts.Source source = ways.read(statement(repartitioning.digest(of)), parts);
        reading = Optional.of(source);
        fetch(parts, source, fetched -> {
            switch (fetched) {
                case FetchedParts.Answer.Broken(Failed _) when isLate() -> takeBack(late());
                case FetchedParts.Answer.Broken(Failed why)
                when PatientStatements.isPassing(why.code()) ->
                    scheduler.schedule(PatientStatements.PAUSE_NANOS, () -> guarded(this::compare));
                case FetchedParts.Answer.Broken(Failed why) -> takeBack(UnfinishedTables.failure(name, shown(), why));
                case FetchedParts.Answer.Part(byte[] block, boolean isLast) -> {
                    ResultBlock rows = new ResultBlock().wrap(block, 0, block.length);
                    Invariants.check(rows.next() && isLast, "a digest is one row");
                    then.accept(columns(rows));
                }
            }
        });
    }

    /** Fetches a part, for which it waits no longer than its time lasts. */
    private void fetch(FetchedParts parts, FetchedParts.Source source, Consumer<FetchedParts.Answer> then) {
        Scheduler.Timer timer = scheduler.schedule(
                limits.deadlineNanos() - clock.monotonicNanos(),
                () -> source.end(ErrorCode.TIMEOUT, "the time to copy the rows is over"));
        parts.fetch(source, new PartSize(FIRST_ROWS, PART_BYTES), fetched -> {
            timer.cancel();
            guarded(() -> then.accept(fetched));
        });
    }

    private void compare(List<@Nullable Object> there, List<@Nullable Object> here) {
        if (there.equals(here)) {
            finish();
            return;
        }
        boolean isCount = Objects.equals(there.getFirst(), here.getFirst());
        takeBack(new Failed(
                ErrorCode.INTERNAL,
                "of the " + there.getFirst() + " rows of table " + shown()
                        + (isCount
                                ? " some were copied twice, and others not"
                                : ", " + here.getFirst() + " were copied")
                        + "; nothing was changed, send the statement again"));
    }

    private void finish() {
        // It is this change that places the rows, so it is this one that is made once.
        ChangeHandle handle = ChangeHandle.of(request);
        ways.change(statement(repartitioning.end(name)), handle, response -> {
            if (response instanceof Failed failed) {
                takeBack(pending.failureHere(name, shown(), failed));
            } else {
                end(response);
            }
        });
    }

    /**
     * Runs a statement. One that is refused for now is run again after a pause, and one that is too large with fewer
     * rows: a statement that fails leaves nothing.
     */
    private void run(TransactionRequest.AdHoc statement, Runnable again, Consumer<Committed> then) {
        ways.run(statement, response -> {
            switch (response) {
                case Committed done -> guarded(() -> then.accept(done));
                case Failed failed
                when isTooLarge(failed.code()) && pieceRows > 1 -> {
                    pieceRows = Math.max(1, pieceRows / 4);
                    guarded(again);
                }
                case Failed failed
                when PatientStatements.isPassing(failed.code()) ->
                    scheduler.schedule(PatientStatements.PAUSE_NANOS, () -> guarded(again));
                case Failed failed -> takeBack(UnfinishedTables.failure(name, shown(), failed));
            }
        });
    }

    /** The statement ends whatever happens: nothing writes the table before. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (FulmarException refusal) {
            takeBack(Answers.failed(refusal));
        } catch (Throwable defect) {
            takeBack(Answers.defect(defect));
            FatalErrors.handIfFatal(defect);
        }
    }

    private static boolean isTooLarge(ErrorCode code) {
        return switch (code) {
            case RESULT_TOO_LARGE, FRAME_TOO_LARGE, STATEMENT_TOO_COMPLEX, UNDO_LIMIT, TRANSACTION_TOO_LARGE -> true;
            default -> false;
        };
    }

    private void takeBack(TransactionResponse failed) {
        if (name.isEmpty()) {
            end(failed);
            return;
        }
        reading.ifPresent(source -> source.end(ErrorCode.CANCELLED, "the rows are not copied any more"));
        ways.run(statement(CreateTableAsPlan.removal(name)), done -> end(failed));
    }

    private void end(TransactionResponse response) {
        pending.end(name);
        pending.endTurn(this);
        answer.accept(response);
    }

    private TransactionRequest.AdHoc statement(String text) {
        return OwnStatements.of(request, text);
    }

    private TransactionRequest.AdHoc statement(String text, List<@Nullable Object> values) {
        ParameterWriter parameters = new ParameterWriter(PARAMETER_BYTES, MOST_PARAMETER_BYTES).begin();
        values.forEach(parameters::addObject);
        parameters.end();
        TransactionRequest.AdHoc statement = statement(text);
        return statement.with(statement.sql(), parameters.toByteArray());
    }
}
