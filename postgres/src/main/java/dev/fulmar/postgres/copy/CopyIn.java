package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.ByteBudget;
import dev.fulmar.postgres.copy.CopyTransactions.Outcome;
import dev.fulmar.postgres.dialect.CopyCommand;
import dev.fulmar.postgres.dialect.CopyFormat;
import dev.fulmar.postgres.dialect.NameFolding;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A COPY FROM STDIN that is under way: takes the client's data, and has their rows stored. Either all rows are stored
 * once the data end, or batches of them while data still come, one after another. Not thread-safe.
 */
public final class CopyIn {
    /** Listener to a COPY, which calls it once. */
    public interface Listener {
        /** All rows are stored. */
        void done(long rows);

        /** No row is stored, or those that the message names. */
        void failed(FulmarException error);
    }

    /**
     * Resources of a COPY.
     *
     * @param memory for rows that are not stored yet
     * @param limitBytes of the rows that are stored together
     * @param batchRows rows that are stored by themselves while data still come; 0 to store all rows at the end
     */
    public record Limits(ByteBudget memory, long limitBytes, long batchRows) {}

    /** A client whose batches wait is read no further. */
    private static final int MOST_WAITING = 2;

    /** So many batches may become durable while the next one is stored. */
    private static final int MOST_APPLIED = 2;

    private final CopyTransactions transactions;
    private final Limits limits;
    private final Listener listener;
    private final CopyPlace place;
    private final CopyReader reader;
    private final RowDecoder decoder;
    private final InsertTexts texts;
    private final int columns;

    private CopyBatch collecting;

    /** Batches that wait for the one that is being stored. */
    private final ArrayDeque<CopyBatch> waiting = new ArrayDeque<>();

    /** The batch that is being stored; null if none is. */
    private @Nullable CopyBatch storing;

    /** Batches before it that count, but are not known to be durable. */
    private final ArrayDeque<CopyBatch> applied = new ArrayDeque<>();

    private long storedRows;
    private long storedLine;

    /** No more data are read. */
    private boolean isComplete;

    /** The error that ends it once what came before is stored; null for none. */
    private @Nullable FulmarException failure;

    /** A batch has failed: none behind it is told of. */
    private boolean hasFailed;

    private boolean isOver;

    /**
     * @param columns of the COPY, as the catalog names them
     * @param types of the columns
     * @param zone of instants that say none
     */
    public CopyIn(
            CopyCommand.In command,
            List<String> columns,
            List<ColumnType> types,
            Limits limits,
            ZoneId zone,
            CopyTransactions transactions,
            Listener listener) {
        this.transactions = transactions;
        this.limits = limits;
        this.listener = listener;
        this.columns = columns.size();
        this.place = new CopyPlace(
                command.table().label(),
                columns.stream().map(NameFolding::mirrored).toList());
        this.reader = CopyReader.of(command.options(), place);
        this.decoder = new RowDecoder(types, place, command.options().format() != CopyFormat.BINARY, zone);
        this.texts = new InsertTexts(command.table().sql(), columns);
        this.collecting = newBatch();
    }

    private CopyBatch newBatch() {
        return new CopyBatch(texts, columns, limits.memory(), limits.limitBytes());
    }

    /** Whether more data should come now. */
    public boolean takesMore() {
        return !isComplete && waiting.size() < MOST_WAITING;
    }

    /** Takes the next piece of data. */
    public void data(byte[] bytes) {
        read(() -> reader.read(bytes, this::row));
    }

    /** The data are complete. */
    public void done() {
        read(() -> {
            reader.end(this::row);
            isComplete = true;
            seal();
        });
    }

    /** The client gives up. */
    public void fail(String reason) {
        fail(new FulmarException(ErrorCode.CANCELLED, reason));
    }

    /** The data end with an error. */
    public void fail(FulmarException error) {
        end(error);
    }

    /** The statement is not to go on. Rows that are being stored after the last data may be stored all the same. */
    public void cancel() {
        if (!isComplete) {
            fail("canceling statement due to user request");
        }
    }

    /** The client is gone: its listener is not called any more. */
    public void leave() {
        isOver = true;
        giveUpRest();
        CopyBatch begun = storing;
        storing = null;
        if (begun != null) {
            begun.giveUp();
        }
        applied.forEach(CopyBatch::giveUp);
        applied.clear();
    }

    private void read(Runnable step) {
        if (isComplete || isOver) {
            return;
        }
        try {
            step.run();
        } catch (FulmarException e) {
            end(e);
        }
        goOn();
    }

    private void row(CopyRow row) {
        collecting.add(row, decoder, place.line());
        if (limits.batchRows() > 0 && collecting.rows() == limits.batchRows()) {
            seal();
        }
    }

    private void seal() {
        CopyBatch sealed = collecting;
        if (sealed.rows() > 0) {
            sealed.complete();
            waiting.add(sealed);
            collecting = newBatch();
        }
    }

    /** No more data are read. Batches that are complete are stored nevertheless. */
    private void end(FulmarException error) {
        if (isOver || failure != null) {
            return;
        }
        isComplete = true;
        failure = error;
        collecting.giveUp();
        if (limits.batchRows() == 0) {
            giveUpRest();
        }
        goOn();
    }

    private void giveUpRest() {
        isComplete = true;
        collecting.giveUp();
        waiting.forEach(CopyBatch::giveUp);
        waiting.clear();
    }

    private void goOn() {
        if (isOver || storing != null) {
            return;
        }
        CopyBatch next = applied.size() < MOST_APPLIED ? waiting.poll() : null;
        if (next != null) {
            storing = next;
            transactions.execute(next.complete(), storingOf(next));
        } else if (isComplete && waiting.isEmpty() && applied.isEmpty()) {
            isOver = true;
            FulmarException error = failure;
            if (error == null) {
                listener.done(storedRows);
            } else {
                listener.failed(named(error));
            }
        }
    }

    private CopyTransactions.Listener storingOf(CopyBatch batch) {
        return new CopyTransactions.Listener() {
            @Override
            public void applied() {
                storing = null;
                applied.add(batch);
                goOn();
            }

            @Override
            public void ended(Outcome outcome) {
                if (!applied.remove(batch)) {
                    storing = null;
                }
                stored(batch, outcome);
            }
        };
    }

    private void stored(CopyBatch batch, Outcome outcome) {
        FulmarException error = outcome.failure();
        if (error != null) {
            giveUpRest();
            failure = hasFailed ? failure : placed(error, outcome.failed());
            hasFailed = true;
        } else if (!hasFailed) {
            storedRows += batch.rows();
            storedLine = batch.lastLine();
        }
        batch.giveUp();
        goOn();
    }

    private FulmarException placed(FulmarException error, @Nullable CopyStatement failed) {
        return failed == null ? error : place.at(failed, error);
    }

    /** The error with the last row that is stored in spite of it. */
    private FulmarException named(FulmarException error) {
        if (limits.batchRows() == 0) {
            return error;
        }
        String message = String.valueOf(error.getMessage());
        int end = message.indexOf(CopyPlace.CONTEXT);
        String what = end < 0 ? message : message.substring(0, end);
        String stored = storedRows == 0
                ? "no row is committed"
                : "the first " + storedRows + " rows are committed, the last of them is of line " + storedLine;

        return new FulmarException(error.code(), what + "; " + stored + (end < 0 ? "" : message.substring(end)));
    }
}
