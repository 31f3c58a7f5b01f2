package dev.fulmar.engine.procedure;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Queued statements with their parameters, and what comes of them. Reused from batch to batch: once it has grown,
 * queueing allocates nothing. Not thread-safe.
 */
public final class StatementBatch {
    private static final int FIRST_CAPACITY = 16;

    /** Value of {@link #blockStart} for a statement that yields no rows. */
    public static final int NO_BLOCK = -1;

    private final ResultBlockWriter writer;
    private @Nullable ProcedureStatement[] statements = new ProcedureStatement[FIRST_CAPACITY];
    private @Nullable Bindings[] bindings = new Bindings[FIRST_CAPACITY];
    private int[] blockStarts = new int[FIRST_CAPACITY];
    private long[] changedRows = new long[FIRST_CAPACITY];
    private int size;
    private int completed;

    /** @param writer takes the rows of every statement of a call, one block after another */
    public StatementBatch(ResultBlockWriter writer) {
        this.writer = writer;
    }

    /** Empties the batch; the blocks stay in the writer. */
    public void clear() {
        size = 0;
        completed = 0;
    }

    /** Queues a statement; its parameters are null until they are bound. */
    public Bindings add(ProcedureStatement statement) {
        if (size == statements.length) {
            grow();
        }
        statements[size] = statement;
        Bindings slot = bindings[size];
        if (slot == null) {
            slot = new Bindings(statement.compiled().parameterTypes());
            bindings[size] = slot;
        } else {
            slot.reset(statement.compiled().parameterTypes());
        }
        size++;
        return slot;
    }

    private void grow() {
        int capacity = 2 * statements.length;
        statements = Arrays.copyOf(statements, capacity);
        bindings = Arrays.copyOf(bindings, capacity);
        blockStarts = Arrays.copyOf(blockStarts, capacity);
        changedRows = Arrays.copyOf(changedRows, capacity);
    }

    /** Statements that were queued. */
    public int size() {
        return size;
    }

    /** Statements that have an outcome: the first ones. */
    public int completed() {
        return completed;
    }

    public ProcedureStatement statement(int position) {
        return present(statements[checked(position)]);
    }

    public Bindings bindings(int position) {
        return present(bindings[checked(position)]);
    }

    /** The writer to which a runner writes the block of the next statement's rows. */
    public ResultBlockWriter writer() {
        return writer;
    }

    /** Outcome of the next statement: a block of rows, which starts here in the writer. */
    public void completeRows(int blockStart) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    blockStart >= 0 && blockStart < writer.size(), "a statement's rows lie in the writer of its call");
        }
        blockStarts[completed] = blockStart;
        changedRows[completed] = 0;
        completed++;
    }

    /** Outcome of the next statement: it changed so many rows. */
    public void completeChange(long rows) {
        blockStarts[completed] = NO_BLOCK;
        changedRows[completed] = rows;
        completed++;
    }

    /** Start of the statement's block in the writer, or {@link #NO_BLOCK}. */
    public int blockStart(int position) {
        Invariants.check(position < completed, "an outcome is read after the statement was executed");
        return blockStarts[position];
    }

    /** Rows that the statement changed; 0 for a query. */
    public long changedRows(int position) {
        Invariants.check(position < completed, "an outcome is read after the statement was executed");
        return changedRows[position];
    }

    private int checked(int position) {
        Invariants.check(position >= 0 && position < size, "a statement of the batch is asked for");
        return position;
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw Invariants.breach("a queued statement has its slot");
        }
        return value;
    }
}
