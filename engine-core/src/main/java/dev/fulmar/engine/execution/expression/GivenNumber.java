package dev.fulmar.engine.execution.expression;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * A number of a dense sequence that the statement is given for a row, as {@link dev.fulmar.engine.plan.RowNumbers} has
 * them among the parameters. Where they are only asked for, it is the number of the row.
 *
 * @param firstParameter of the numbers of all sequences
 * @param place of the sequence among those of the statement
 * @param row its number, from 1; null for a row that takes no number
 */
record GivenNumber(int firstParameter, int place, LongEvaluator row) implements LongEvaluator {
    private static final int RANGE_VALUES = 3;

    @Override
    public long evaluate(Frame frame) {
        long number = row.evaluate(frame);
        int further = frame.parameters.count() - firstParameter;
        if (frame.isNull || further == 1) {
            return number;
        }
        if (further <= 0) {
            throw Invariants.breach("a statement that takes a number for each row is given them");
        }
        return numberOf(number, frame.parameters);
    }

    private long numberOf(long number, ParameterSlots parameters) {
        int next = firstParameter + 1;
        for (int before = 0; before < place; before++) {
            next += 1 + RANGE_VALUES * (int) parameters.getLong(next);
        }
        int ranges = (int) parameters.getLong(next);
        next++;
        long rest = number - 1;
        for (int range = 0; range < ranges; range++) {
            long length = parameters.getLong(next + 2);
            if (rest < length) {
                return parameters.getLong(next) + rest * parameters.getLong(next + 1);
            }
            rest -= length;
            next += RANGE_VALUES;
        }
        throw new FulmarException(
                ErrorCode.NUMBERS_USED_UP,
                "another transaction has added rows to the query of this statement since its numbers were drawn; send it"
                        + " again");
    }
}
