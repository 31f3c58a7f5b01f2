package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.RowBindings;
import dev.fulmar.engine.execution.StepChoice;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs many inserts of one row each into a table with keys over partitions. First their rows are written, then all
 * their keys are looked for. Rows that ON CONFLICT DO NOTHING leaves out are those that would be left out if each
 * row was written and looked for before the next one. Rows that others refer to are looked for when all that stay are
 * there.
 */
final class KeptInserts {
    private static final int FIRST_BYTES = 4096;

    /** Rows whose references are looked for at once. */
    private static final int ROWS_AT_ONCE = 1000;

    private final StatementRunner runner;
    private final FragmentDispatch dispatch;
    private final int limitBytes;
    private final ProcedureStatement.Steps insert;
    private final ResultBlock given;
    private final int firstColumn;

    /** The rows that stay, as their inserts yield them, of a table with references over partitions. */
    private final @Nullable ResultBlockWriter referring;

    /**
     * @param insert one that {@link #takes} says
     * @param given has the rows' values, as the insert's parameters from one column on
     */
    KeptInserts(
            StatementRunner runner,
            FragmentDispatch dispatch,
            int limitBytes,
            ProcedureStatement.Steps insert,
            ResultBlock given,
            int firstColumn) {
        this.runner = runner;
        this.dispatch = dispatch;
        this.limitBytes = limitBytes;
        this.insert = insert;
        this.given = given;
        this.firstColumn = firstColumn;
        boolean refers = IntStream.range(0, insert.changes().size())
                .anyMatch(change -> insert.choice().looksForReference(change));
        referring = refers ? new ResultBlockWriter(FIRST_BYTES, limitBytes) : null;
        if (referring != null) {
            referring.begin(insert.source().compiled().resultLayout());
        }
    }

    /** Whether the change of a statement in steps, which is run for each of its rows, is such an insert. */
    static boolean takes(ProcedureStatement change) {
        CompiledStatement.Steps steps = change.compiled().steps();
        return steps != null && steps.areOfInsert();
    }

    /**
     * Inserts the rows, and returns how many were not left out. {@link #lookForReferences} follows when all rows are
     * inserted.
     *
     * @param rows positions in the block of given ones
     * @param result takes what the inserts yield; null if they yield nothing
     */
    long run(int[] rows, @Nullable ResultBlockWriter result) {
        int[] left = rows;
        while (left.length > 0) {
            int first = dispatch.nextStatement();
            StatementBatch batch = write(left);
            if (batch == null) {
                dispatch.undoFrom(first);
                return oneHalfAfterTheOther(left, result);
            }
            Written written = new Written(batch, insert.choice());
            int change = nextOfKey(0);
            while (change < insert.changes().size() && written.look(change)) {
                change = nextOfKey(change + 1);
            }
            if (change == insert.changes().size()) {
                return written.count(result);
            }
            dispatch.undoFrom(first);
            int[] without = left.length == 1 ? new int[0] : written.withoutThoseThere(change, left);
            if (without.length == left.length) {
                return oneHalfAfterTheOther(left, result);
            }
            left = without;
        }
        return 0;
    }

    /** The next change, from that one on, that looks for a key of the rows themselves. */
    private int nextOfKey(int change) {
        int next = change;
        while (next < insert.changes().size() && insert.choice().looksForReference(next)) {
            next++;
        }
        return next;
    }

    /** Fails if one of the rows that were inserted refers to nothing. */
    void lookForReferences() {
        if (referring == null) {
            return;
        }
        referring.end();
        ResultBlock rows = new ResultBlock().wrap(referring.array(), 0, referring.size());
        for (int change = 0; change < insert.changes().size(); change++) {
            if (insert.choice().looksForReference(change)) {
                for (int begin = 0; begin < rows.rowCount(); begin += ROWS_AT_ONCE) {
                    lookForReferences(rows, change, begin, Math.min(rows.rowCount(), begin + ROWS_AT_ONCE));
                }
            }
        }
    }

    private void lookForReferences(ResultBlock rows, int change, int begin, int end) {
        ProcedureStatement look = insert.changes().get(change);
        int column = column(change);
        StatementBatch looks = batch();
        int[] asked = new int[end - begin];
        for (int row = begin; row < end; row++) {
            if (insert.choice().isFor(rows.at(row), change, column, parameters(look))) {
                asked[looks.size()] = row;
                RowBindings.bind(rows, column, looks.add(look));
            }
        }
        if (looks.size() == 0) {
            return;
        }
        runner.execute(looks);
        for (int i = 0; i < looks.size(); i++) {
            insert.choice().require(change, block(looks, i).rowCount(), rows.at(asked[i]), column);
        }
    }

    private int column(int change) {
        int column = 0;
        for (ProcedureStatement before : insert.changes().subList(0, change)) {
            column += parameters(before);
        }
        return column;
    }

    private static int parameters(ProcedureStatement statement) {
        return statement.compiled().plan().parameters().size();
    }

    /** Rows that meet each other: the last ones are written when it is known which of the first ones stay. */
    private long oneHalfAfterTheOther(int[] rows, @Nullable ResultBlockWriter result) {
        int half = rows.length / 2;
        long before = run(Arrays.copyOf(rows, half), result);
        return before + run(Arrays.copyOfRange(rows, half, rows.length), result);
    }

    private StatementBatch batch() {
        return new StatementBatch(new ResultBlockWriter(FIRST_BYTES, limitBytes));
    }

    /** The rows as they are written; null if one of them meets another one of them that may have to stay away. */
    private @Nullable StatementBatch write(int[] rows) {
        StatementBatch batch = batch();
        for (int row : rows) {
            RowBindings.bind(given.at(row), firstColumn, batch.add(insert.source()));
        }
        try {
            runner.execute(batch);
        } catch (FulmarException e) {
            boolean isOfOthers = e.code() == ErrorCode.UNIQUE_VIOLATION || e.code() == ErrorCode.FOREIGN_KEY_VIOLATION;
            if (rows.length == 1 || !isOfOthers || !insert.choice().mayUndo()) {
                throw e;
            }
            return null;
        }
        return batch;
    }

    private static ResultBlock block(StatementBatch batch, int position) {
        ResultBlockWriter writer = batch.writer();
        int start = batch.blockStart(position);
        return new ResultBlock().wrap(writer.array(), start, writer.size() - start);
    }

    /** The rows of one batch, as their inserts yield them: the keys first. */
    private final class Written {
        private final ResultBlock[] blocks;
        private final StepChoice choice;

        /** Whether each insert is to be undone by the last look. */
        private final boolean[] undone;

        Written(StatementBatch batch, StepChoice choice) {
            this.choice = choice;
            blocks = new ResultBlock[batch.size()];
            undone = new boolean[batch.size()];
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = block(batch, i);
            }
        }

        /** Looks for one of the keys of each row that was written; false if one of the inserts is to be undone. */
        boolean look(int change) {
            boolean[] asked = new boolean[blocks.length];
            ProcedureStatement statement = insert.changes().get(change);
            for (int i = 0; i < blocks.length; i++) {
                asked[i] = blocks[i].rowCount() > 0
                        && choice.isFor(blocks[i].at(0), change, column(change), parameters(statement));
            }
            boolean isWhole = true;
            StatementBatch looks = looks(change, asked);
            int look = 0;
            for (int i = 0; i < blocks.length; i++) {
                if (asked[i]) {
                    int yielded = block(looks, look++).rowCount();
                    undone[i] = choice.isUndone(change, yielded);
                    isWhole &= !undone[i];
                    if (!undone[i]) {
                        choice.require(change, yielded, blocks[i], column(change));
                    }
                }
            }
            return isWhole;
        }

        private StatementBatch looks(int change, boolean[] asked) {
            StatementBatch looks = batch();
            for (int i = 0; i < blocks.length; i++) {
                if (asked[i]) {
                    RowBindings.bind(
                            blocks[i],
                            column(change),
                            looks.add(insert.changes().get(change)));
                }
            }
            runner.execute(looks);
            return looks;
        }

        /** The rows but those whose keys other rows have, now that none of these is written. */
        int[] withoutThoseThere(int change, int[] rows) {
            StatementBatch looks = looks(change, undone);
            int[] left = new int[rows.length];
            int count = 0;
            int look = 0;
            for (int i = 0; i < rows.length; i++) {
                if (!undone[i] || block(looks, look++).rowCount() == 0) {
                    left[count++] = rows[i];
                }
            }
            return Arrays.copyOf(left, count);
        }

        /** How many rows were written; appends what they yield. */
        long count(@Nullable ResultBlockWriter result) {
            long count = 0;
            for (ResultBlock block : blocks) {
                block.beforeFirst();
                while (block.next()) {
                    count++;
                    if (referring != null) {
                        referring.appendRow(block);
                    }
                    if (result != null) {
                        result.appendRow(block, choice.keyColumns());
                    }
                }
            }
            return count;
        }
    }
}
