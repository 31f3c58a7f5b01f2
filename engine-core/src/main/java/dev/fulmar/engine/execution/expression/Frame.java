package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.userfunction.FunctionTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of an evaluation: its inputs, and room for values that do not fit a return value. Belongs to one statement
 * on one partition, one thread.
 */
public final class Frame {
    /** Whether the value evaluated last is null. */
    public boolean isNull;

    /** Address of the bytes evaluated last; good until the row is changed or the row's temporaries are reset. */
    public long bytesAddress;

    public int bytesLength;

    /** The 128-bit value evaluated last. */
    public final WideValue wide = new WideValue();

    /** Addresses of the current rows, one per source of the statement; 0 for the row of nulls of an outer join. */
    public final long[] rows;

    /** Memory that is needed for one row only; the loop over rows takes it back. */
    public final ScratchMemory temporary;

    /** Parameters of the running statement. */
    public ParameterSlots parameters;

    /**
     * The row that the next look-up by unique key will probably find, 0 if that is not known. A hint: it must be a slot
     * of that table, but may be any.
     */
    public long expectedRow;

    /** Draws numbers of sequences. */
    public Counters counters = Counters.NONE;

    /** The time of calls of functions of users; null where none may be called. */
    public @Nullable FunctionTime functionTime;

    /** The transaction's time. */
    public long transactionMicros;

    /** Random numbers that the statement has drawn here; starts with its partition, so that no two draw the same. */
    private long randomRow;

    public Frame(int rowCount, ScratchMemory temporary, ParameterSlots parameters) {
        this.rows = new long[rowCount];
        this.temporary = temporary;
        this.parameters = parameters;
    }

    /** Begins a statement, or its part on the partition. */
    public void begin(
            ParameterSlots newParameters, long micros, @Nullable FunctionTime newFunctionTime, int partition) {
        parameters = newParameters;
        transactionMicros = micros;
        functionTime = newFunctionTime;
        randomRow = (long) partition << Integer.SIZE;
    }

    /** The number of the next random number of the statement, which no other one of any partition has. */
    long nextRandomRow() {
        return randomRow++;
    }
}
