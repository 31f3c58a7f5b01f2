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
import java.util.function.Consumer;
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

    /** So many batches are stored, or wait until they are durable, at once. */
    private static final int MOST_BEGUN = 2;

    private final CopyTransactions transactions;
    private final Limits limits;
    private final Listener listener;
    private final CopyPlace place;
    private final RowDecoder decoder;
    private final InsertTexts texts;
    private final int columns;

    /** Null once no more data are read. */
    private @Nullable CopyReader reader;

    /** Memory that is taken for the row that the reader holds. */
    private long accountedBytes;

    private CopyBatch collecting;

    /** Batches that wait for the one that is being stored. */
    private final ArrayDeque<CopyBatch> waiting = new ArrayDeque<>();

    /** Batches that are being stored, or not known to be durable, in their order. Only the last may not count yet. */
    private final ArrayDeque<Begun> begun = new ArrayDeque<>();

    private long storedRows;
    private long storedLine;

    /** The error that ends it once what came before is stored; null for none. */
    private @Nullable FulmarException failure;

    /** A batch has failed: those behind it are not told of. */
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
        return reader != null && waiting.size() < MOST_WAITING;
    }

    /** Takes the next piece of data. */
    public void data(byte[] bytes) {
        read(open -> {
            open.read(bytes, this::row);
            account(open.heldBytes());
        });
    }

    /** The data are complete. */
    public void done() {
        read(open -> {
            open.end(this::row);
            readNoMore();
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

    /** The statement is not to go on. Batches that are being stored may be stored all the same, and no others are. */
    public void cancel() {
        boolean isLate = reader == null && waiting.isEmpty();
        giveUpWaiting();
        if (!isLate) {
            fail("canceling statement due to user request");
        }
    }

    /** The client is gone: its listener is not called any more. */
    public void leave() {
        isOver = true;
        giveUpRest();
        begun.forEach(each -> each.batch.giveUp());
        begun.clear();
    }

    private void read(Consumer<CopyReader> step) {
        CopyReader open = reader;
        if (open == null || isOver) {
            return;
        }
        try {
            step.accept(open);
        } catch (FulmarException e) {
            end(e);
        }
        goOn();
    }

    /** A large row that is not complete takes its memory from the node's budget. */
    private void account(long heldBytes) {
        long counted = heldBytes > ByteBudget.SMALL_BYTES ? heldBytes : 0;
        if (counted > accountedBytes && !limits.memory().take(counted - accountedBytes)) {
            throw limits.memory().refuse();
        }
        if (counted < accountedBytes) {
            limits.memory().giveBack(accountedBytes - counted);
        }
        accountedBytes = counted;
    }

    private void readNoMore() {
        reader = null;
        account(0);
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
        readNoMore();
        failure = error;
        collecting.giveUp();
        if (limits.batchRows() == 0) {
            giveUpRest();
        }
        goOn();
    }

    private void giveUpRest() {
        readNoMore();
        collecting.giveUp();
        giveUpWaiting();
    }

    private void giveUpWaiting() {
        waiting.forEach(CopyBatch::giveUp);
        waiting.clear();
    }

    private void goOn() {
        if (isOver) {
            return;
        }
        settle();
        CopyBatch next = mayBegin() ? waiting.poll() : null;
        if (next != null) {
            Begun last = new Begun(next);
            begun.add(last);
            transactions.execute(next.complete(), last);
        } else if (reader == null && waiting.isEmpty() && begun.isEmpty()) {
            isOver = true;
            FulmarException error = failure;
            if (error == null) {
                listener.done(storedRows);
            } else {
                listener.failed(named(error));
            }
        }
    }

    private boolean mayBegin() {
        return begun.isEmpty() || (begun.size() < MOST_BEGUN && begun.getLast().counts);
    }

    /** Takes outcomes in the order of the batches: a refusal may come before the outcome of the batch before. */
    private void settle() {
        while (!begun.isEmpty()) {
            Outcome outcome = begun.getFirst().outcome;
            if (outcome == null) {
                return;
            }
            settle(begun.remove().batch, outcome);
        }
    }

    private void settle(CopyBatch batch, Outcome outcome) {
        FulmarException error = outcome.failure();
        if (!hasFailed && error != null) {
            hasFailed = true;
            failure = placed(error, outcome.failed());
        } else if (!hasFailed) {
            storedRows += batch.rows();
            storedLine = batch.lastLine();
        }
        batch.giveUp();
    }

    /** A batch that is being stored, or not known to be durable. */
    private final class Begun implements CopyTransactions.Listener {
        private final CopyBatch batch;

        /** Whether the next one is executed behind it. */
        private boolean counts;

        private @Nullable Outcome outcome;

        Begun(CopyBatch batch) {
            this.batch = batch;
        }

        @Override
        public void applied() {
            counts = true;
            goOn();
        }

        @Override
        public void ended(Outcome how) {
            outcome = how;
            if (how.failure() != null) {
                giveUpRest();
            }
            goOn();
        }
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
