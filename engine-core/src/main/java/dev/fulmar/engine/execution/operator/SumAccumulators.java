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
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.execution.value.WideValue;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.numeric.NumericArithmetic;
import dev.fulmar.engine.plan.Relation.AggregateFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * SUM and AVG, also of intervals ({@link IntervalSum}). Exact numbers are summed in 128 bits and checked at the end
 * only.
 */
final class SumAccumulators {
    private SumAccumulators() {}

    static Accumulator of(
            AggregateFunction function,
            Evaluator argument,
            ColumnType argumentType,
            ColumnType type,
            ScratchMemory memory) {
        boolean average = function == AggregateFunction.AVG;
        return switch (argument) {
            case DoubleEvaluator number -> new DoubleSum(number, average, type);
            case LongEvaluator number
            when isNumber(argumentType) -> new ExactSum(number, argumentType.scale(), average, type);
            case WideEvaluator number
            when isNumber(argumentType) -> new ExactSum(number, argumentType.scale(), average, type);
            case WideEvaluator interval
            when argumentType.kind() == TypeKind.INTERVAL -> new IntervalSum(interval, average);
            case BytesEvaluator number
            when argumentType.kind() == TypeKind.NUMERIC -> NumericSum.of(number, average, memory);
            case LongEvaluator other -> throw notANumber(function, argumentType);
            case WideEvaluator other -> throw notANumber(function, argumentType);
            case BytesEvaluator other -> throw notANumber(function, argumentType);
        };
    }

    private static boolean isNumber(ColumnType type) {
        return type.kind().isInteger() || type.kind() == TypeKind.DECIMAL;
    }

    private static FulmarException notANumber(AggregateFunction function, ColumnType type) {
        return new FulmarException(
                ErrorCode.TYPE_MISMATCH, function + " takes numbers, not " + type + "; CAST the argument to a number");
    }

    private record DoubleSum(DoubleEvaluator argument, boolean average, ColumnType type) implements Accumulator {
        @Override
        public void add(Frame frame, long state) {
            double value = argument.evaluate(frame);
            if (!frame.isNull) {
                OffHeap.putLong(state, OffHeap.getLong(state) + 1);
                OffHeap.putDouble(state + Accumulators.FIRST, OffHeap.getDouble(state + Accumulators.FIRST) + value);
            }
        }

        @Override
        public Evaluator result(int source, int offset) {
            DoubleEvaluator value = frame -> {
                frame.isNull = false;
                double sum = OffHeap.getDouble(frame.rows[source] + offset + Accumulators.FIRST);
                return average ? sum / Accumulators.count(frame, source, offset) : sum;
            };
            Evaluator result = switch (type.storage()) {
                case DOUBLE -> value;
                case LONG ->
                    (LongEvaluator) frame -> exact(value.evaluate(frame)).longValue();
                case WIDE -> (WideEvaluator) frame -> frame.wide.set(exact(value.evaluate(frame)));
                case BYTES -> throw notANumber(AggregateFunction.SUM, type);
            };
            return Nulls.unless(result, frame -> Accumulators.count(frame, source, offset) == 0);
        }

        private BigInteger exact(double value) {
            return SumAccumulators.exact(Decimals.unscaled(value, widest(type)), type);
        }
    }

    private static ColumnType widest(ColumnType type) {
        return ColumnType.decimal(ColumnType.MAX_DECIMAL_DIGITS, type.scale());
    }

    /** The unscaled value if the type holds it. */
    private static BigInteger exact(BigInteger unscaled, ColumnType type) {
        boolean fits = type.kind() == TypeKind.DECIMAL
                ? unscaled.abs().compareTo(Decimals.bigPower(type.precision())) < 0
                : unscaled.bitLength() <= 63
                        && unscaled.longValue() >= ValueRange.minimum(type.kind())
                        && unscaled.longValue() <= ValueRange.maximum(type.kind());
        if (!fits) {
            throw ValueRange.outOfRange(
                    "an aggregate of " + new BigDecimal(unscaled, type.scale()).toPlainString(), type);
        }
        return unscaled;
    }

    private record ExactSum(Evaluator argument, int scale, boolean average, ColumnType type) implements Accumulator {
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
            if (frame.isNull) {
                return;
            }
            OffHeap.putLong(state, OffHeap.getLong(state) + 1);
            WideValue sum = frame.wide;
            sum.set(OffHeap.getLong(state + Accumulators.FIRST), OffHeap.getLong(state + Accumulators.SECOND));
            sum.add(high, low);
            OffHeap.putLong(state + Accumulators.FIRST, sum.high());
            OffHeap.putLong(state + Accumulators.SECOND, sum.low());
        }

        @Override
        public Evaluator result(int source, int offset) {
            Evaluator result = switch (type.storage()) {
                case LONG ->
                    (LongEvaluator) frame -> {
                        evaluate(frame, source, offset);
                        return frame.wide.low();
                    };
                case WIDE -> (WideEvaluator) frame -> evaluate(frame, source, offset);
                case DOUBLE ->
                    (DoubleEvaluator) frame -> {
                        load(frame, source, offset);
                        BigDecimal sum = new BigDecimal(frame.wide.toBigInteger(), scale);
                        long divisor = average ? Accumulators.count(frame, source, offset) : 1;
                        return sum.doubleValue() / divisor;
                    };
                case BYTES ->
                    (BytesEvaluator) frame -> {
                        load(frame, source, offset);
                        Numeric sum = Numeric.of(new BigDecimal(frame.wide.toBigInteger(), scale));
                        Numeric count = Numeric.of(average ? Accumulators.count(frame, source, offset) : 1);
                        NumericCasts.result(frame, average ? NumericArithmetic.divide(sum, count) : sum);
                    };
            };
            return Nulls.unless(result, frame -> Accumulators.count(frame, source, offset) == 0);
        }

        private static void load(Frame frame, int source, int offset) {
            frame.isNull = false;
            long state = frame.rows[source] + offset;
            frame.wide.set(OffHeap.getLong(state + Accumulators.FIRST), OffHeap.getLong(state + Accumulators.SECOND));
        }

        private void evaluate(Frame frame, int source, int offset) {
            load(frame, source, offset);
            if (!average && scale == type.scale() && frame.wide.fitsLong() && type.kind() == TypeKind.BIGINT) {
                return;
            }
            BigDecimal sum = new BigDecimal(frame.wide.toBigInteger(), scale);
            // An average of integers that is an integer is cut off, as integer division is.
            RoundingMode mode = type.kind() == TypeKind.DECIMAL ? RoundingMode.HALF_UP : RoundingMode.DOWN;
            BigDecimal value = average
                    ? sum.divide(BigDecimal.valueOf(Accumulators.count(frame, source, offset)), type.scale(), mode)
                    : sum.setScale(type.scale(), mode);
            frame.wide.set(exact(value.unscaledValue(), type));
        }
    }
}
