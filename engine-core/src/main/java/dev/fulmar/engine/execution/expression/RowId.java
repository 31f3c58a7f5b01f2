package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.data.PartitioningHash;

/**
 * The id of a new row of a table that is spread by row ids, where the statement was given none. All partitions make the
 * same one, and so does a replay.
 *
 * @param number of the row in its statement
 */
record RowId(LongEvaluator number) implements LongEvaluator {
    @Override
    public long evaluate(Frame frame) {
        long row = number.evaluate(frame);
        frame.isNull = false;
        return PartitioningHash.ofWide(frame.transactionMicros, row);
    }
}
