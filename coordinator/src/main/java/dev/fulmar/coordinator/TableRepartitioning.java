package dev.fulmar.coordinator;

import dev.fulmar.coordinator.change.ChangeHandle;
import dev.fulmar.coordinator.change.Repartitioning;
import dev.fulmar.coordinator.change.Repartitioning.Range;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.transaction.Answers;
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
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places the rows of a table anew (ALTER TABLE ... PARTITION ON) by several statements, one after another. The first
 * one gives the table a successor, and nothing writes the table from then on. Others copy its rows, a piece in each
 * transaction. The last one lets the successor take the table's place. So readers find the table before or after, and
 * whatever fails, the table is as it was as soon as the successor is dropped. {@link UnfinishedTables} drops it if the
 * node dies.
 */
final class TableRepartitioning {
    /** Rows of a piece: a few milliseconds. */
    private static final int FIRST_ROWS = 1000;

    private static final long PAUSE_NANOS = 20_000_000;
    private static final int PARAMETER_BYTES = 1 << 10;
    private static final int MOST_PARAMETER_BYTES = 8 << 20;

    private final Repartitioning repartitioning;
    private final TransactionRequest request;
    private final OwnStatements ways;
    private final UnfinishedTables pending;
    private final Clock clock;
    private final Scheduler scheduler;
    private final long deadlineNanos;
    private final Consumer<TransactionResponse> answer;

    private String name = "";
    private int pieceRows = FIRST_ROWS;
    private long copied;

    /** Rows that are next, behind the key where the last piece ended. */
    private Range range = Range.ALL;

    private List<@Nullable Object> key = List.of();

    /**
     * @param request which asks for it, and whose rights were looked at
     * @param deadlineNanos when it gives up, on the monotonic clock: writes of the table are refused meanwhile
     */
    TableRepartitioning(
            Repartitioning repartitioning,
            TransactionRequest request,
            OwnStatements ways,
            UnfinishedTables pending,
            Clock clock,
            Scheduler scheduler,
            long deadlineNanos,
            Consumer<TransactionResponse> answer) {
        this.repartitioning = repartitioning;
        this.request = request;
        this.ways = ways;
        this.pending = pending;
        this.clock = clock;
        this.scheduler = scheduler;
        this.deadlineNanos = deadlineNanos;
        this.answer = answer;
    }

    /** The answer is that of the change by which the successor takes the table's place, or that of what failed. */
    void start() {
        name = pending.begin();
        ways.change(statement(repartitioning.begin(name)), ChangeHandle.NONE, response -> {
            if (response instanceof Failed failed) {
                takeBack(pending.failureHere(name, shown(), failed));
            } else {
                copy();
            }
        });
    }

    private String shown() {
        return repartitioning.table().name();
    }

    private boolean isLate() {
        return clock.monotonicNanos() - deadlineNanos >= 0;
    }

    private Failed late() {
        return new Failed(
                ErrorCode.TIMEOUT,
                "the rows of " + shown() + " were not placed within the time-out, after " + copied
                        + " of them; nothing was changed, give the statement a longer time-out");
    }

    private void copy() {
        if (isLate()) {
            takeBack(late());
        } else if (!repartitioning.isInPieces()) {
            run(statement(repartitioning.copyOfAll(name)), this::copy, done -> {
                copied += done.value();
                count();
            });
        } else {
            run(statement(repartitioning.lastKey(range, pieceRows), rangeValues()), this::copy, this::copyTo);
        }
    }

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
        List<@Nullable Object> last = IntStream.range(0, rows.columnCount())
                .<@Nullable Object>mapToObj(rows::object)
                .toList();
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

    /** All rows of the range are copied: those with keys that are alike in fewer columns are next. */
    private void leaveRange() {
        Invariants.check(
                range.isAll() == key.isEmpty(), "the range of a piece begins behind a key, unless it is the first");
        if (range.equalColumns() == 0) {
            count();
        } else {
            range = new Range(false, range.equalColumns() - 1);
            copy();
        }
    }

    private List<@Nullable Object> rangeValues() {
        return range.isAll() ? List.of() : key.subList(0, range.equalColumns() + 1);
    }

    /** Nothing has written the table meanwhile, so the successor must have as many rows. */
    private void count() {
        run(statement(repartitioning.count()), this::count, counted -> {
            ResultBlock rows = new ResultBlock().wrap(counted.results(), 0, counted.results().length);
            long there = rows.next() ? rows.getLong(0) : -1;
            if (there == copied) {
                finish();
            } else {
                takeBack(new Failed(
                        ErrorCode.INTERNAL,
                        "table " + shown() + " has " + there + " rows, of which " + copied
                                + " were copied; nothing was changed, send the statement again"));
            }
        });
    }

    private void finish() {
        Invariants.check(copied >= 0, "as many rows are copied as there are");
        // It is this change that places the rows, so it is this one that is made once.
        ChangeHandle handle = new ChangeHandle(request.clientId(), request.requestId());
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
                when isTooLarge(failed.code()) && pieceRows > 1 && repartitioning.isInPieces() -> {
                    pieceRows = Math.max(1, pieceRows / 4);
                    guarded(again);
                }
                case Failed failed when isPassing(failed.code()) && isLate() -> takeBack(late());
                case Failed failed
                when isPassing(failed.code()) -> scheduler.schedule(PAUSE_NANOS, () -> guarded(again));
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

    private static boolean isPassing(ErrorCode code) {
        return switch (code) {
            case SERVER_BUSY, TRANSACTION_RESTART, CATALOG_CHANGED, SNAPSHOT_TOO_OLD -> true;
            default -> false;
        };
    }

    private void takeBack(TransactionResponse failed) {
        ways.run(statement(CreateTableAsPlan.removal(name)), done -> end(failed));
    }

    private void end(TransactionResponse response) {
        pending.end(name);
        answer.accept(response);
    }

    private TransactionRequest.AdHoc statement(String text) {
        return OwnStatements.of(request, text);
    }

    private TransactionRequest.AdHoc statement(String text, List<@Nullable Object> values) {
        ParameterWriter parameters = new ParameterWriter(PARAMETER_BYTES, MOST_PARAMETER_BYTES).begin();
        values.forEach(parameters::addObject);
        parameters.end();
        return statement(text).with(text, parameters.toByteArray());
    }
}
