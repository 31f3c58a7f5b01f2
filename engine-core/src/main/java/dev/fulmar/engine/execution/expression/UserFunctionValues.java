package dev.fulmar.engine.execution.expression;

import dev.fulmar.engine.execution.value.Decimals;
import dev.fulmar.engine.execution.value.NativeText;
import dev.fulmar.engine.execution.value.ValueRange;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.userfunction.FunctionArguments;
import dev.fulmar.engine.userfunction.FunctionCall;
import dev.fulmar.engine.userfunction.FunctionCode;
import dev.fulmar.engine.userfunction.FunctionTime;
import dev.fulmar.engine.userfunction.UserFunction;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Calls of functions of users. Each place of a statement has a call of its own, whose arguments are filled anew for
 * each row. Invariant: no object of the engine is given to a function, and none that a function still knows is kept.
 */
final class UserFunctionValues {
    /** Beyond this, arithmetic on the number would cost more than any column can hold. */
    private static final int MOST_DIGITS = 10_000;

    private final UserFunction function;
    private final List<ColumnType> types;
    private final EvaluatorList values;
    private final FunctionCall call;
    private final FunctionArguments arguments;
    private final ColumnType result;

    private UserFunctionValues(UserFunction function, FunctionCode code, List<Evaluator> values) {
        this.function = function;
        this.types =
                function.parameters().stream().map(UserFunction.Parameter::type).toList();
        this.values = new EvaluatorList(values);
        this.call = code.newCall();
        this.arguments = call.arguments();
        this.result = function.result();
    }

    /**
     * The value of a call.
     *
     * @param values of the arguments, of the types that the function declares
     */
    static Evaluator compile(UserFunction function, List<Evaluator> values) {
        FunctionCode code = function.code();
        if (code == null) {
            throw Invariants.breach("a statement runs with a catalog whose functions are loaded");
        }
        UserFunctionValues call = new UserFunctionValues(function, code, values);
        ColumnType result = function.result();
        return switch (result.storage()) {
            case LONG -> (LongEvaluator) call::longValue;
            case DOUBLE -> fitting((DoubleEvaluator) call::doubleValue, TypeKind.DOUBLE, result);
            case WIDE -> (WideEvaluator) call::wideValue;
            case BYTES -> fitting((BytesEvaluator) call::bytesValue, result.kind(), result);
        };
    }

    /** The value with its length or its range checked. */
    private static Evaluator fitting(Evaluator value, TypeKind from, ColumnType result) {
        ColumnType made = from == TypeKind.CHAR ? ColumnType.of(TypeKind.VARCHAR) : ColumnType.of(from);
        return Casts.compile(value, made, result);
    }

    /** Calls the function; false if the result is null without a call. */
    private boolean call(Frame frame) {
        FunctionTime time = frame.functionTime;
        if (time == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a function of users, " + function.name()
                            + ", cannot be called in this place; compute the value first");
        }
        for (int i = 0; i < values.size(); i++) {
            if (!read(i, frame)) {
                if (!function.takesNulls()) {
                    return false;
                }
                arguments.setNull(i);
            }
        }
        call.run(time);
        return true;
    }

    /** Evaluates an argument; false if it is null. */
    private boolean read(int i, Frame frame) {
        switch (values.code(i)) {
            case EvaluatorList.LONG, EvaluatorList.LONG_PARAMETER ->
                arguments.setLong(i, values.evaluateLong(i, frame));
            case EvaluatorList.DOUBLE -> arguments.setDouble(i, values.evaluateDouble(i, frame));
            case EvaluatorList.WIDE -> {
                values.evaluateWide(i, frame);
                if (!frame.isNull) {
                    arguments.setObject(i, wide(frame, types.get(i)));
                }
            }
            default -> {
                values.evaluateBytes(i, frame);
                if (!frame.isNull) {
                    arguments.setObject(i, bytes(frame, types.get(i)));
                }
            }
        }
        return !frame.isNull;
    }

    private static Object wide(Frame frame, ColumnType type) {
        return type.kind() == TypeKind.UUID
                ? new UUID(frame.wide.high(), frame.wide.low())
                : new BigDecimal(frame.wide.toBigInteger(), type.scale());
    }

    /** A copy, which the function may change. */
    private static Object bytes(Frame frame, ColumnType type) {
        if (type.kind() != TypeKind.VARBINARY) {
            return NativeText.decode(frame.bytesAddress, frame.bytesLength);
        }
        byte[] bytes = new byte[frame.bytesLength];
        OffHeap.copy(frame.bytesAddress, bytes, 0, bytes.length);
        return bytes;
    }

    private long longValue(Frame frame) {
        if (!call(frame)) {
            frame.isNull = true;
            return 0;
        }
        long value;
        if (arguments.hasObject()) {
            Object object = takeObject();
            frame.isNull = object == null;
            if (object == null) {
                return 0;
            }
            value = ofObject(object);
        } else {
            frame.isNull = false;
            value = arguments.longResult();
        }
        if (!ValueRange.has(value, result.kind())) {
            throw wrong(ValueRange.outOfRange(value, result));
        }
        return value;
    }

    private long ofObject(Object object) {
        return switch (object) {
            case Boolean truth -> truth ? 1 : 0;
            case BigDecimal number -> unscaled(number).longValueExact();
            case LocalDate date -> CellValues.days(date);
            case LocalTime time -> CellValues.micros(time);
            case LocalDateTime moment -> micros(moment);
            case Instant moment -> micros(InfiniteTime.inUtc(moment));
            case Number number -> number.longValue();
            default -> throw Invariants.breach("a function yields what its method declares, not " + object.getClass());
        };
    }

    private long micros(LocalDateTime moment) {
        try {
            return CellValues.micros(moment);
        } catch (FulmarException e) {
            throw wrong(e);
        }
    }

    /** A class of a user's own that is a kind of decimal would bring its code here. */
    private BigInteger unscaled(BigDecimal number) {
        if (number.getClass() != BigDecimal.class) {
            throw wrong(new FulmarException(
                    ErrorCode.TYPE_MISMATCH, "its result is a class of its own, and must be a plain BigDecimal"));
        }
        if (Math.abs((long) number.scale()) > MOST_DIGITS) {
            throw wrong(new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE, "its result has more than " + MOST_DIGITS + " digits; round it"));
        }
        try {
            return Decimals.unscaled(number, result);
        } catch (FulmarException e) {
            throw wrong(e);
        }
    }

    private double doubleValue(Frame frame) {
        if (!call(frame)) {
            frame.isNull = true;
            return 0;
        }
        if (!arguments.hasObject()) {
            frame.isNull = false;
            return arguments.doubleResult();
        }
        Object object = takeObject();
        frame.isNull = object == null;
        return object instanceof Number number ? number.doubleValue() : 0;
    }

    private void wideValue(Frame frame) {
        Object object = call(frame) ? takeObject() : null;
        switch (object) {
            case UUID uuid -> frame.wide.set(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
            case BigDecimal number -> frame.wide.set(unscaled(number));
            case null, default -> {
                // Null, as there is nothing else.
            }
        }
        frame.isNull = object == null;
    }

    private void bytesValue(Frame frame) {
        Object object = call(frame) ? takeObject() : null;
        switch (object) {
            case String text -> Results.text(frame, text);
            case byte[] bytes -> {
                long target = frame.temporary.allocate(bytes.length);
                OffHeap.copy(bytes, 0, target, bytes.length);
                Results.bytes(frame, target, bytes.length);
            }
            case null, default -> frame.isNull = true;
        }
    }

    private @Nullable Object takeObject() {
        Object object = arguments.objectResult();
        arguments.release();
        return object;
    }

    private FulmarException wrong(FulmarException error) {
        return new FulmarException(error.code(), "function " + function.name() + ": " + error.getMessage(), error);
    }
}
