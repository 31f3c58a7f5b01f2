package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Expression.Literal;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.NumericBytes;
import dev.fulmar.foundation.data.TypeKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Evaluators of literals and parameters. */
final class Constants {
    private Constants() {}

    static Evaluator literal(Literal literal) {
        ColumnType type = literal.type();
        Object value = literal.value();
        if (value == null) {
            return nothing(type);
        }
        return switch (value) {
            case Boolean truth -> ofLong(truth ? 1 : 0);
            case Long number -> number(BigDecimal.valueOf(number), type);
            case Double number -> ofDouble(number);
            case BigDecimal number -> number(number, type);
            case String text -> ofBytes(text.getBytes(StandardCharsets.UTF_8), type);
            case byte[] bytes -> ofBytes(bytes, type);
            case UUID uuid -> ofWide(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            case Numeric number -> ofBytes(NumericBytes.of(number), type);
            case Interval interval -> ofWide(interval.high(), interval.low());
            default ->
                throw Invariants.breach("a literal is of a class that its contract names, not " + value.getClass());
        };
    }

    private static Evaluator number(BigDecimal value, ColumnType type) {
        return switch (type.storage()) {
            case DOUBLE -> ofDouble(value.doubleValue());
            case WIDE -> {
                BigInteger unscaled = Decimals.unscaled(value, type);
                yield ofWide(unscaled.shiftRight(64).longValue(), unscaled.longValue());
            }
            case LONG ->
                ofLong(
                        type.kind() == TypeKind.DECIMAL
                                ? Decimals.unscaled(value, type).longValueExact()
                                : value.longValueExact());
            case BYTES -> ofBytes(NumericBytes.of(Numeric.of(value).fitted(type)), type);
        };
    }

    static Evaluator nothing(ColumnType type) {
        return switch (type.storage()) {
            case LONG ->
                (LongEvaluator) frame -> {
                    frame.isNull = true;
                    return 0;
                };
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = true;
                    return 0;
                };
            case WIDE -> (WideEvaluator) frame -> frame.isNull = true;
            case BYTES -> (BytesEvaluator) frame -> frame.isNull = true;
        };
    }

    static LongEvaluator ofLong(long value) {
        return frame -> {
            frame.isNull = false;
            return value;
        };
    }

    private static DoubleEvaluator ofDouble(double value) {
        return frame -> {
            frame.isNull = false;
            return value;
        };
    }

    private static WideEvaluator ofWide(long high, long low) {
        return frame -> {
            frame.isNull = false;
            frame.wide.set(high, low);
        };
    }

    private static Evaluator ofBytes(byte[] bytes, ColumnType type) {
        int end = bytes.length;
        while (type.kind() == TypeKind.CHAR && end > 0 && bytes[end - 1] == ' ') {
            end--;
        }
        return new NativeConstant(bytes, end);
    }

    /** Keeps its native memory alive by being reachable. */
    private static final class NativeConstant implements BytesEvaluator {
        private final MemorySegment segment;
        private final int length;

        NativeConstant(byte[] bytes, int length) {
            segment = Arena.ofAuto().allocate(Math.max(1, length), Long.BYTES);
            OffHeap.copy(bytes, 0, segment.address(), length);
            this.length = length;
        }

        @Override
        public void evaluate(Frame frame) {
            frame.isNull = false;
            frame.bytesAddress = segment.address();
            frame.bytesLength = length;
        }
    }

    static Evaluator parameter(int index, ColumnType type) {
        return switch (type.storage()) {
            case LONG -> new LongParameter(index);
            case DOUBLE ->
                (DoubleEvaluator) frame -> {
                    frame.isNull = frame.parameters.isNull(index);
                    return frame.parameters.getDouble(index);
                };
            case WIDE ->
                (WideEvaluator) frame -> {
                    frame.isNull = frame.parameters.isNull(index);
                    frame.wide.set(frame.parameters.high(index), frame.parameters.low(index));
                };
            case BYTES -> new BytesParameter(index);
        };
    }

    /** Recognised by {@link EvaluatorList}. */
    record LongParameter(int index) implements LongEvaluator {
        @Override
        public long evaluate(Frame frame) {
            frame.isNull = frame.parameters.isNull(index);
            return frame.parameters.getLong(index);
        }
    }

    /** Recognised by {@link EvaluatorList}. */
    record BytesParameter(int index) implements BytesEvaluator {
        @Override
        public void evaluate(Frame frame) {
            frame.isNull = frame.parameters.isNull(index);
            frame.bytesAddress = frame.parameters.bytesAddress(index);
            frame.bytesLength = frame.parameters.bytesLength(index);
        }
    }
}
