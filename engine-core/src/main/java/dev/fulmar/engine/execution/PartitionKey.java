package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowLayout;

/** Finds the partition of a value. A null belongs to partition 0. */
final class PartitionKey {
    private PartitionKey() {}

    static int partition(PartitionPlan plan, Evaluator value, Frame frame) {
        return switch (value) {
            case LongEvaluator number -> {
                long key = number.evaluate(frame);
                yield frame.isNull ? 0 : plan.partitionOf(key);
            }
            case DoubleEvaluator number -> {
                double key = number.evaluate(frame);
                yield frame.isNull ? 0 : plan.partitionOf(key);
            }
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                yield frame.isNull ? 0 : plan.partitionOfWide(frame.wide.high(), frame.wide.low());
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                yield frame.isNull ? 0 : plan.partitionOf(frame.bytesAddress, frame.bytesLength);
            }
        };
    }

    /** The partition of a row or image by its partitioning column. */
    static int partition(PartitionPlan plan, RowLayout layout, long row, int column) {
        if (RowLayout.isNull(row, column)) {
            return 0;
        }
        return switch (layout.kind(column)) {
            case INT, LONG, SHORT, BYTE -> plan.partitionOf(layout.getLong(row, column));
            case FLOAT, DOUBLE -> plan.partitionOf(layout.getDouble(row, column));
            case WIDE -> plan.partitionOfWide(layout.wideHigh(row, column), layout.wideLow(row, column));
            case BYTES -> plan.partitionOf(layout.bytesAddress(row, column), layout.bytesLength(row, column));
        };
    }
}
