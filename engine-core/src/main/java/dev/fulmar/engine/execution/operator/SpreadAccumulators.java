package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.DoubleEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.expression.NumericCasts;
import dev.fulmar.engine.execution.expression.WideEvaluator;
import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.numeric.NumericArithmetic;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.engine.plan.Relation.Step;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.Predicate;

/**
 * Variances and standard deviations. Exact numbers are summed exactly, in {@link ExactMoments}, and rounded once.
 * DOUBLEs are summed as PostgreSQL does (Youngs and Cramer), so that large ones that differ little keep their digits.
 */
final class SpreadAccumulators {
    /** Of a state of DOUBLEs: count, sum, and sum of the squared distances. */
    private static final int DOUBLE_STATE_BYTES = 24;

    private static final int SQUARES = Accumulators.SECOND;

    private SpreadAccumulators() {}

    /**
     * The accumulator.
     *
     * @param argument the values, or in the last step the bytes that {@link Step#PARTIAL} made of them
     * @param type of the result; of bytes it does not matter
     */
    static Accumulator of(
            AggregateFunction function,
            Step step,
            Evaluator argument,
            ColumnType argumentType,
            ColumnType type,
            ScratchMemory memory) {
        if (step == Step.TOTAL && argument instanceof BytesEvaluator partial) {
            return type.storage() == TypeKind.Storage.DOUBLE
                    ? new TotalOfDoubles(function, partial)
                    : new TotalOfExact(function, partial, type, memory);
        }
        return switch (argument) {
            case BytesEvaluator number
            when argumentType.kind() == TypeKind.NUMERIC ->
                new NumericSum(number, new NumericSum.Spread(ofSample(function), isDeviation(function)), memory);
            case DoubleEvaluator number -> new OfDoubles(function, step, number);
            case LongEvaluator number
            when isNumber(argumentType) -> new OfExact(function, step, number, argumentType, type, memory);
            case WideEvaluator number
            when isNumber(argumentType) -> new OfExact(function, step, number, argumentType, type, memory);
            default ->
                throw new FulmarException(
                        ErrorCode.TYPE_MISMATCH,
                        function + " takes numbers, not " + argumentType + "; CAST the argument to a number");
        };
    }

    private static boolean isNumber(ColumnType type) {
        return type.kind().isInteger() || type.kind() == TypeKind.DECIMAL;
    }

    private static boolean ofSample(AggregateFunction function) {
        return function == AggregateFunction.VAR_SAMP || function == AggregateFunction.STDDEV_SAMP;
    }

    private static boolean isDeviation(AggregateFunction function) {
        return function == AggregateFunction.STDDEV_POP || function == AggregateFunction.STDDEV_SAMP;
    }

    /** The value, or null of too few numbers: a sample has at least two. */
    private static Evaluator ofEnough(AggregateFunction function, Evaluator value, int source, int offset) {
        int least = ofSample(function) ? 2 : 1;
        Predicate<Frame> isLess = frame -> Accumulators.count(frame, source, offset) < least;
        return Nulls.unless(value, isLess);
    }

    private record OfDoubles(AggregateFunction function, Step step, DoubleEvaluator argument) implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            double value = argument.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            long count = OffHeap.getLong(state) + 1;
            double before = OffHeap.getDouble(state + Accumulators.FIRST);
            double sum = before + value;
            double squares = OffHeap.getDouble(state + SQUARES);
            if (count > 1) {
                double distance = value * count - sum;
                squares += distance * distance / ((double) count * (count - 1));
                if (Double.isInfinite(sum) || Double.isInfinite(squares)) {
                    if (!Double.isInfinite(before) && !Double.isInfinite(value)) {
                        throw overflow(function);
                    }
                    squares = Double.NaN;
                }
            } else if (!Double.isFinite(value)) {
                squares = Double.NaN;
            }
            OffHeap.putLong(state, count);
            OffHeap.putDouble(state + Accumulators.FIRST, sum);
            OffHeap.putDouble(state + SQUARES, squares);
        }

        @Override
        public Evaluator result(int source, int offset) {
            return step == Step.PARTIAL ? bytes(source, offset) : ofDoubles(function, source, offset);
        }

        private static Evaluator bytes(int source, int offset) {
            BytesEvaluator state = frame -> {
                frame.isNull = false;
                frame.bytesAddress = frame.rows[source] + offset;
                frame.bytesLength = DOUBLE_STATE_BYTES;
            };
            return Nulls.unless(state, frame -> Accumulators.count(frame, source, offset) == 0);
        }
    }

    private static Evaluator ofDoubles(AggregateFunction function, int source, int offset) {
        DoubleEvaluator value = frame -> {
            frame.isNull = false;
            long state = frame.rows[source] + offset;
            double divisor = OffHeap.getLong(state) - (ofSample(function) ? 1 : 0);
            double variance = OffHeap.getDouble(state + SQUARES) / divisor;
            return isDeviation(function) ? Math.sqrt(variance) : variance;
        };
        return ofEnough(function, value, source, offset);
    }

    static FulmarException overflow(AggregateFunction function) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                function + " of these numbers is out of the range of DOUBLE; divide the numbers first");
    }

    private record TotalOfDoubles(AggregateFunction function, BytesEvaluator argument) implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            argument.evaluate(frame);
            if (frame.isNull) {
                return;
            }
            checkLength(frame, DOUBLE_STATE_BYTES);
            long other = frame.bytesAddress;
            if (OffHeap.getLong(state) == 0) {
                OffHeap.copy(other, state, DOUBLE_STATE_BYTES);
                return;
            }
            double count = OffHeap.getLong(state);
            double otherCount = OffHeap.getLong(other);
            double sum = OffHeap.getDouble(state + Accumulators.FIRST);
            double otherSum = OffHeap.getDouble(other + Accumulators.FIRST);
            double squares = OffHeap.getDouble(state + SQUARES);
            double otherSquares = OffHeap.getDouble(other + SQUARES);
            double distance = sum / count - otherSum / otherCount;
            double all = squares + otherSquares + count * otherCount * distance * distance / (count + otherCount);
            if (Double.isInfinite(all) && !Double.isInfinite(squares) && !Double.isInfinite(otherSquares)) {
                throw overflow(function);
            }
            OffHeap.putLong(state, (long) (count + otherCount));
            OffHeap.putDouble(state + Accumulators.FIRST, sum + otherSum);
            OffHeap.putDouble(state + SQUARES, all);
        }

        @Override
        public Evaluator result(int source, int offset) {
            return ofDoubles(function, source, offset);
        }
    }

    static void checkLength(Frame frame, int bytes) {
        if (frame.bytesLength != bytes) {
            throw Invariants.breach("a partial result has " + bytes + " bytes");
        }
    }

    private record OfExact(
            AggregateFunction function,
            Step step,
            Evaluator argument,
            ColumnType argumentType,
            ColumnType type,
            ScratchMemory memory)
            implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            long high;
            long low;
            if (argument instanceof LongEvaluator number) {
                low = number.evaluate(frame);
                high = low >> 63;
            } else {
                Nulls.evaluate(argument, frame);
                high = frame.wide.high();
                low = frame.wide.low();
            }
            if (!frame.isNull) {
                ExactMoments.add(ExactMoments.own(state, argumentType.scale(), memory), high, low);
                OffHeap.putLong(state, OffHeap.getLong(state) + 1);
            }
        }

        @Override
        public void detach(long state) {
            ExactMoments.detach(state);
        }

        @Override
        public Evaluator result(int source, int offset) {
            return step == Step.PARTIAL ? ExactMoments.bytes(source, offset) : ofExact(function, type, source, offset);
        }
    }

    private record TotalOfExact(
            AggregateFunction function, BytesEvaluator argument, ColumnType type, ScratchMemory memory)
            implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            argument.evaluate(frame);
            if (!frame.isNull) {
                checkLength(frame, ExactMoments.BYTES);
                long other = frame.bytesAddress;
                ExactMoments.addAll(ExactMoments.own(state, ExactMoments.scale(other), memory), other);
                OffHeap.putLong(state, OffHeap.getLong(state) + ExactMoments.count(other));
            }
        }

        @Override
        public Evaluator result(int source, int offset) {
            return ofExact(function, type, source, offset);
        }
    }

    private static Evaluator ofExact(AggregateFunction function, ColumnType type, int source, int offset) {
        Evaluator value = switch (type.storage()) {
            case WIDE ->
                (WideEvaluator) frame -> {
                    frame.isNull = false;
                    frame.wide.set(exact(function, type, frame.rows[source] + offset));
                };
            case BYTES ->
                (BytesEvaluator) frame -> {
                    long state = frame.rows[source] + offset;
                    long moments = OffHeap.getLong(state + Accumulators.FIRST);
                    int scale = ExactMoments.scale(moments);
                    NumericCasts.result(
                            frame,
                            NumericArithmetic.spread(
                                    OffHeap.getLong(state),
                                    Numeric.of(new BigDecimal(ExactMoments.sum(moments), scale)),
                                    Numeric.of(new BigDecimal(ExactMoments.squares(moments), 2 * scale)),
                                    ofSample(function),
                                    isDeviation(function)));
                };
            case LONG, DOUBLE -> throw Invariants.breach(function + " of exact numbers is a long DECIMAL");
        };
        return ofEnough(function, value, source, offset);
    }

    /** (n * sum of squares - square of sum) / (n * n), or of a sample / (n * (n - 1)); rounded at the end. */
    private static BigInteger exact(AggregateFunction function, ColumnType type, long state) {
        long moments = OffHeap.getLong(state + Accumulators.FIRST);
        BigInteger count = BigInteger.valueOf(OffHeap.getLong(state));
        BigInteger sum = ExactMoments.sum(moments);
        BigInteger squares = count.multiply(ExactMoments.squares(moments)).subtract(sum.multiply(sum));
        BigInteger divisor = count.multiply(ofSample(function) ? count.subtract(BigInteger.ONE) : count);
        BigDecimal dividend = new BigDecimal(squares, 2 * ExactMoments.scale(moments));
        BigDecimal value = isDeviation(function)
                ? dividend.divide(new BigDecimal(divisor), new MathContext(2 * ColumnType.MAX_DECIMAL_DIGITS))
                        .sqrt(new MathContext(ColumnType.MAX_DECIMAL_DIGITS + 2))
                        .setScale(type.scale(), RoundingMode.HALF_UP)
                : dividend.divide(new BigDecimal(divisor), type.scale(), RoundingMode.HALF_UP);
        if (value.unscaledValue().abs().compareTo(Decimals.bigPower(type.precision())) >= 0) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    function + " of these numbers does not fit in " + type + "; CAST the argument to DOUBLE");
        }
        return value.unscaledValue();
    }
}
