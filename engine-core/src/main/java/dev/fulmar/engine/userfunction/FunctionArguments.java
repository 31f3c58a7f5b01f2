package dev.fulmar.engine.userfunction;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call and its result. Numbers stay numbers: a call with none but these makes no object. Public for
 * generated code, which reads the arguments as the types of the function. One thread at a time.
 */
public final class FunctionArguments {
    private final List<ColumnType> types;
    private final boolean[] nulls;
    private final long[] longs;
    private final double[] doubles;
    private final @Nullable Object[] objects;

    private long longResult;
    private double doubleResult;
    private @Nullable Object objectResult;
    private boolean hasObject;

    /** @param types of the arguments */
    public FunctionArguments(List<ColumnType> types) {
        this.types = List.copyOf(types);
        nulls = new boolean[types.size()];
        longs = new long[types.size()];
        doubles = new double[types.size()];
        objects = new Object[types.size()];
    }

    // For the engine, before and after a call.

    public void setNull(int position) {
        nulls[position] = true;
    }

    /** A value that is held as a long. */
    public void setLong(int position, long value) {
        nulls[position] = false;
        longs[position] = value;
    }

    public void setDouble(int position, double value) {
        nulls[position] = false;
        doubles[position] = value;
    }

    /** A text, bytes of its own, a UUID, or a long decimal. */
    public void setObject(int position, Object value) {
        nulls[position] = false;
        objects[position] = value;
    }

    /** Forgets objects, which may be large. */
    public void release() {
        for (int i = 0; i < objects.length; i++) {
            objects[i] = null;
        }
        objectResult = null;
    }

    public long longResult() {
        return longResult;
    }

    public double doubleResult() {
        return doubleResult;
    }

    /** Whether the result is an object or null, and no number of a primitive type. */
    public boolean hasObject() {
        return hasObject;
    }

    public @Nullable Object objectResult() {
        return objectResult;
    }

    // For generated code.

    public boolean toBoolean(int position) {
        return longs[position] != 0;
    }

    public byte toByte(int position) {
        return (byte) within(position, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    public short toShort(int position) {
        return (short) within(position, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    public int toInt(int position) {
        return (int) within(position, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public long toLong(int position) {
        return longs[position];
    }

    public float toFloat(int position) {
        return (float) doubles[position];
    }

    public double toDouble(int position) {
        return doubles[position];
    }

    private long within(int position, long minimum, long maximum) {
        long value = longs[position];
        if (value < minimum || value > maximum) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "argument " + (position + 1) + " is " + value + ", which lies outside of " + minimum + " to "
                            + maximum);
        }
        return value;
    }

    public @Nullable Boolean boxedBoolean(int position) {
        return nulls[position] ? null : (Boolean) toBoolean(position);
    }

    public @Nullable Byte boxedByte(int position) {
        return nulls[position] ? null : (Byte) toByte(position);
    }

    public @Nullable Short boxedShort(int position) {
        return nulls[position] ? null : (Short) toShort(position);
    }

    public @Nullable Integer boxedInt(int position) {
        return nulls[position] ? null : (Integer) toInt(position);
    }

    public @Nullable Long boxedLong(int position) {
        return nulls[position] ? null : (Long) toLong(position);
    }

    public @Nullable Float boxedFloat(int position) {
        return nulls[position] ? null : (Float) toFloat(position);
    }

    public @Nullable Double boxedDouble(int position) {
        return nulls[position] ? null : (Double) toDouble(position);
    }

    public @Nullable String string(int position) {
        return nulls[position] ? null : (String) objects[position];
    }

    public byte @Nullable [] bytes(int position) {
        return nulls[position] ? null : (byte[]) objects[position];
    }

    public @Nullable BigDecimal decimal(int position) {
        if (nulls[position]) {
            return null;
        }
        ColumnType type = types.get(position);
        return type.storage() == TypeKind.Storage.LONG
                ? BigDecimal.valueOf(longs[position], type.scale())
                : (BigDecimal) objects[position];
    }

    public @Nullable LocalDate date(int position) {
        return nulls[position] ? null : CellValues.date(longs[position]);
    }

    public @Nullable LocalTime time(int position) {
        return nulls[position] ? null : CellValues.time(longs[position]);
    }

    public @Nullable LocalDateTime timestamp(int position) {
        return nulls[position] ? null : CellValues.timestamp(longs[position]);
    }

    public @Nullable Instant instant(int position) {
        return nulls[position] ? null : ZonedTime.instant(longs[position]);
    }

    public @Nullable UUID uuid(int position) {
        return nulls[position] ? null : (UUID) objects[position];
    }

    public void result(boolean value) {
        result(value ? 1L : 0L);
    }

    public void result(long value) {
        longResult = value;
        hasObject = false;
    }

    public void result(double value) {
        doubleResult = value;
        hasObject = false;
    }

    public void result(@Nullable Object value) {
        objectResult = value;
        hasObject = true;
    }
}
