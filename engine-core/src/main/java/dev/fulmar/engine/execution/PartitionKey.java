package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.DataNeed;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.engine.spi.Presence;

/**
 * Finds the partition of a partitioning value, and ends the statement if data access says that the value's rows are not
 * present. A null belongs to partition 0.
 */
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

    /** Asks the guard for the rows of a value; a null has none. */
    static void require(DataAccess access, PartitionPlan plan, Evaluator value, Frame frame) {
        switch (value) {
            case LongEvaluator number -> {
                long key = number.evaluate(frame);
                requireUnlessNull(access, frame, plan.spaceOfIntegers(), plan.positionOf(key));
            }
            case DoubleEvaluator number -> {
                double key = number.evaluate(frame);
                requireUnlessNull(access, frame, KeySpace.HASH, plan.positionOf(key));
            }
            case WideEvaluator wide -> {
                wide.evaluate(frame);
                requireUnlessNull(
                        access, frame, KeySpace.HASH, plan.positionOfWide(frame.wide.high(), frame.wide.low()));
            }
            case BytesEvaluator bytes -> {
                bytes.evaluate(frame);
                if (!frame.isNull) {
                    require(access.ofKey(KeySpace.HASH, plan.positionOf(frame.bytesAddress, frame.bytesLength)));
                }
            }
        }
    }

    private static void requireUnlessNull(DataAccess access, Frame frame, KeySpace space, long position) {
        if (!frame.isNull) {
            require(access.ofKey(space, position));
        }
    }

    /** Asks the guard for the rows of the key of a row or image. */
    static void require(DataAccess access, PartitionPlan plan, RowLayout layout, long row, int column) {
        if (RowLayout.isNull(row, column)) {
            return;
        }
        require(
                switch (layout.kind(column)) {
                    case INT, LONG, SHORT, BYTE ->
                        access.ofKey(plan.spaceOfIntegers(), plan.positionOf(layout.getLong(row, column)));
                    case FLOAT, DOUBLE -> access.ofKey(KeySpace.HASH, plan.positionOf(layout.getDouble(row, column)));
                    case WIDE ->
                        access.ofKey(
                                KeySpace.HASH,
                                plan.positionOfWide(layout.wideHigh(row, column), layout.wideLow(row, column)));
                    case BYTES ->
                        access.ofKey(
                                KeySpace.HASH,
                                plan.positionOf(layout.bytesAddress(row, column), layout.keyBytesLength(row, column)));
                });
    }

    /** Ends the statement unless the rows are here. */
    static void require(Presence presence) {
        switch (presence) {
            case Presence.Present() -> {}
            case Presence.Absent(DataNeed need) -> throw new AbsentData(need);
            case Presence.Moved() -> throw new MovedData();
        }
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
            case BYTES -> plan.partitionOf(layout.bytesAddress(row, column), layout.keyBytesLength(row, column));
        };
    }
}
