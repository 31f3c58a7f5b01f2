package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.data.PartitioningHash;

/**
 * Random bits for a row.
 *
 * @param seed that the statement was given for the place where they are written
 */
record RandomOfRow(LongEvaluator seed) implements LongEvaluator {
    @Override
    public long evaluate(Frame frame) {
        long given = seed.evaluate(frame);
        frame.isNull = false;
        return PartitioningHash.ofWide(given, frame.nextRandomRow());
    }
}
