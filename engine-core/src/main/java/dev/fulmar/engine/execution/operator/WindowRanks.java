package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.WindowRank;
import dev.fulmar.foundation.data.TypeKind;

/** Computes the ranks of rows in their window partition. */
final class WindowRanks {
    private WindowRanks() {}

    static Evaluator result(WindowRank rank, int source, int offset) {
        if (rank.type().storage() == TypeKind.Storage.DOUBLE) {
            return (DoubleEvaluator) frame -> {
                frame.isNull = false;
                return Double.longBitsToDouble(OffHeap.getLong(frame.rows[source] + offset));
            };
        }
        return (LongEvaluator) frame -> {
            frame.isNull = false;
            return OffHeap.getLong(frame.rows[source] + offset);
        };
    }

    /**
     * Puts the place of each row of a partition into its state.
     *
     * @param beginnings for each row, 0 unless it is the first of its peers
     * @param from first row of the partition
     * @param end the row behind the partition
     */
    static void compute(WindowRank call, AddressList states, byte[] beginnings, int offset, int from, int end) {
        long rows = (long) end - from;
        long rank = 0;
        long dense = 0;
        int peersEnd = from;
        for (int i = from; i < end; i++) {
            if (i == peersEnd) {
                rank = i - from + 1L;
                dense++;
                peersEnd = i + 1;
                while (peersEnd < end && beginnings[peersEnd] == 0) {
                    peersEnd++;
                }
            }
            long number = i - from + 1L;
            long value = switch (call.ranking()) {
                case ROW_NUMBER -> number;
                case RANK -> rank;
                case DENSE_RANK -> dense;
                case NTILE -> group(number, rows, call.groups());
                case PERCENT_RANK -> Double.doubleToRawLongBits(rows == 1 ? 0 : (rank - 1.0) / (rows - 1));
                case CUME_DIST -> Double.doubleToRawLongBits((double) (peersEnd - from) / rows);
            };
            OffHeap.putLong(states.get(i) + offset, value);
        }
    }

    /** The first groups have one row more if the rows cannot be divided evenly. */
    private static long group(long number, long rows, long groups) {
        long size = rows / groups;
        long larger = rows % groups;
        long inLarger = larger * (size + 1);
        return number <= inLarger ? (number - 1) / (size + 1) + 1 : larger + (number - inLarger - 1) / size + 1;
    }
}
