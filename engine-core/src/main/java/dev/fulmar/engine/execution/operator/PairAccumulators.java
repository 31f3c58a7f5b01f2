package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.Step;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/**
 * Covariance, correlation and regression of pairs of DOUBLEs, the dependent one (Y) first; a pair with a null does not
 * count. They are summed as PostgreSQL does. A state has the count and the address of five sums.
 */
final class PairAccumulators {
    private static final int X = 0;
    private static final int XX = 8;
    private static final int Y = 16;
    private static final int YY = 24;
    private static final int XY = 32;
    /** The count again, so that the bytes tell all. */
    private static final int COUNT = 40;

    private static final int BYTES = 48;

    private PairAccumulators() {}

    static Accumulator of(
            AggregateFunction function,
            Step step,
            Evaluator argument,
            @Nullable Evaluator other,
            ScratchMemory memory) {
        if (step == Step.TOTAL && argument instanceof BytesEvaluator partial) {
            return new Total(function, partial, memory);
        }
        if (argument instanceof DoubleEvaluator y && other instanceof DoubleEvaluator x) {
            return new OfPairs(function, step, y, x, memory);
        }
        throw Invariants.breach(function + " takes DOUBLEs");
    }

    /** The address of the state's own sums; they are copied where a copy of the state knows them. */
    private static long own(long state, ScratchMemory memory) {
        long sums = OffHeap.getLong(state + Accumulators.FIRST);
        if (sums != 0 && OffHeap.getLong(state + Accumulators.SECOND) == 0) {
            return sums;
        }
        long made = memory.allocate(BYTES);
        if (sums == 0) {
            OffHeap.fill(made, BYTES, (byte) 0);
        } else {
            OffHeap.copy(sums, made, BYTES);
        }
        OffHeap.putLong(state + Accumulators.FIRST, made);
        OffHeap.putLong(state + Accumulators.SECOND, 0);
        return made;
    }

    private record OfPairs(
            AggregateFunction function, Step step, DoubleEvaluator first, DoubleEvaluator second, ScratchMemory memory)
            implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            double y = first.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            double x = second.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long sums = own(state, memory);
            long count = OffHeap.getLong(state) + 1;
            double sumX = OffHeap.getDouble(sums + X) + x;
            double sumY = OffHeap.getDouble(sums + Y) + y;
            if (count > 1) {
                addSquares(sums, count, x * count - sumX, y * count - sumY);
                checkRange(sums, x, y, sumX, sumY);
            } else {
                double ofX = Double.isFinite(x) ? 0 : Double.NaN;
                double ofY = Double.isFinite(y) ? 0 : Double.NaN;
                put(sums, ofX, ofY, ofX + ofY);
            }
            OffHeap.putDouble(sums + X, sumX);
            OffHeap.putDouble(sums + Y, sumY);
            OffHeap.putLong(sums + COUNT, count);
            OffHeap.putLong(state, count);
        }

        private static void addSquares(long sums, long count, double ofX, double ofY) {
            double scale = 1.0 / ((double) count * (count - 1));
            put(
                    sums,
                    OffHeap.getDouble(sums + XX) + ofX * ofX * scale,
                    OffHeap.getDouble(sums + YY) + ofY * ofY * scale,
                    OffHeap.getDouble(sums + XY) + ofX * ofY * scale);
        }

        /** Infinite numbers make results that are no numbers; finite ones that grow too large are an error. */
        private void checkRange(long sums, double x, double y, double sumX, double sumY) {
            double xx = OffHeap.getDouble(sums + XX);
            double yy = OffHeap.getDouble(sums + YY);
            double xy = OffHeap.getDouble(sums + XY);
            boolean isXOver = Double.isInfinite(sumX) || Double.isInfinite(xx);
            boolean isYOver = Double.isInfinite(sumY) || Double.isInfinite(yy);
            if (!isXOver && !isYOver && !Double.isInfinite(xy)) {
                return;
            }
            boolean wasX = Double.isInfinite(OffHeap.getDouble(sums + X)) || Double.isInfinite(x);
            boolean wasY = Double.isInfinite(OffHeap.getDouble(sums + Y)) || Double.isInfinite(y);
            if ((isXOver && !wasX) || (isYOver && !wasY) || (Double.isInfinite(xy) && !wasX && !wasY)) {
                throw SpreadAccumulators.overflow(function);
            }
            put(
                    sums,
                    Double.isInfinite(xx) ? Double.NaN : xx,
                    Double.isInfinite(yy) ? Double.NaN : yy,
                    Double.isInfinite(xy) ? Double.NaN : xy);
        }

        private static void put(long sums, double xx, double yy, double xy) {
            OffHeap.putDouble(sums + XX, xx);
            OffHeap.putDouble(sums + YY, yy);
            OffHeap.putDouble(sums + XY, xy);
        }

        @Override
        public void detach(long state) {
            OffHeap.putLong(state + Accumulators.SECOND, 1);
        }

        @Override
        public Evaluator result(int source, int offset) {
            if (step != Step.PARTIAL) {
                return finished(function, source, offset);
            }
            BytesEvaluator bytes = frame -> {
                frame.isNull = false;
                frame.bytesAddress = OffHeap.getLong(frame.rows[source] + offset + Accumulators.FIRST);
                frame.bytesLength = BYTES;
            };
            return Nulls.unless(bytes, frame -> Accumulators.count(frame, source, offset) == 0);
        }
    }

    private record Total(AggregateFunction function, BytesEvaluator argument, ScratchMemory memory)
            implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            argument.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            SpreadAccumulators.checkLength(frame, BYTES);
            long other = frame.bytesAddress;
            long sums = own(state, memory);
            double count = OffHeap.getLong(sums + COUNT);
            double otherCount = OffHeap.getLong(other + COUNT);
            if (count == 0) {
                OffHeap.copy(other, sums, BYTES);
            } else {
                double ofX = OffHeap.getDouble(sums + X) / count - OffHeap.getDouble(other + X) / otherCount;
                double ofY = OffHeap.getDouble(sums + Y) / count - OffHeap.getDouble(other + Y) / otherCount;
                double weight = count * otherCount / (count + otherCount);
                add(sums + XX, other + XX, weight * ofX * ofX);
                add(sums + YY, other + YY, weight * ofY * ofY);
                add(sums + XY, other + XY, weight * ofX * ofY);
                add(sums + X, other + X, 0);
                add(sums + Y, other + Y, 0);
                OffHeap.putLong(sums + COUNT, (long) (count + otherCount));
            }
            OffHeap.putLong(state, OffHeap.getLong(sums + COUNT));
        }

        private void add(long sum, long other, double more) {
            double left = OffHeap.getDouble(sum);
            double right = OffHeap.getDouble(other);
            double all = left + right + more;
            if (Double.isInfinite(all) && !Double.isInfinite(left) && !Double.isInfinite(right)) {
                throw SpreadAccumulators.overflow(function);
            }
            OffHeap.putDouble(sum, all);
        }

        @Override
        public Evaluator result(int source, int offset) {
            return finished(function, source, offset);
        }
    }

    private static Evaluator finished(AggregateFunction function, int source, int offset) {
        return (DoubleEvaluator) frame -> {
            long state = frame.rows[source] + offset;
            long count = OffHeap.getLong(state);
            long sums = OffHeap.getLong(state + Accumulators.FIRST);
            frame.isNull = count == 0 || isUndefined(function, count, sums);
            return frame.isNull ? 0 : value(function, count, sums);
        };
    }

    private static boolean isUndefined(AggregateFunction function, long count, long sums) {
        return switch (function) {
            case COVAR_SAMP -> count < 2;
            case CORR -> OffHeap.getDouble(sums + XX) == 0 || OffHeap.getDouble(sums + YY) == 0;
            case REGR_SLOPE, REGR_INTERCEPT, REGR_R2 -> OffHeap.getDouble(sums + XX) == 0;
            default -> false;
        };
    }

    private static double value(AggregateFunction function, long count, long sums) {
        double x = OffHeap.getDouble(sums + X);
        double xx = OffHeap.getDouble(sums + XX);
        double y = OffHeap.getDouble(sums + Y);
        double yy = OffHeap.getDouble(sums + YY);
        double xy = OffHeap.getDouble(sums + XY);
        return switch (function) {
            case COVAR_POP -> xy / count;
            case COVAR_SAMP -> xy / (count - 1);
            case CORR -> xy / Math.sqrt(xx * yy);
            case REGR_AVGX -> x / count;
            case REGR_AVGY -> y / count;
            case REGR_SXX -> xx;
            case REGR_SYY -> yy;
            case REGR_SXY -> xy;
            case REGR_SLOPE -> xy / xx;
            case REGR_INTERCEPT -> (y - x * xy / xx) / count;
            case REGR_R2 -> yy == 0 ? 1 : xy * xy / (xx * yy);
            default -> throw Invariants.breach(function + " is of pairs");
        };
    }
}
