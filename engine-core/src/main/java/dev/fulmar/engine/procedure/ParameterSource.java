package dev.fulmar.engine.procedure;

import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterTag;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The caller's parameters as the Java types that a procedure declares. A value that does not fit is a
 * {@link ErrorCode#WRONG_PARAMETERS} error that says what was expected and what came. Primitive types allocate nothing.
 * Public for generated code; not thread-safe.
 */
public final class ParameterSource {
    private final ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS);
    private @Nullable LoadedProcedure procedure;

    /** Opens a call's parameter list; their number must be the procedure's. */
    public void open(LoadedProcedure newProcedure, byte[] array, int offset, int length) {
        procedure = newProcedure;
        reader.wrap(array, offset, length);
        checkCount(newProcedure, reader.count());
    }

    /** Fails unless the procedure takes so many parameters. */
    public static void checkCount(LoadedProcedure procedure, int count) {
        int expected = procedure.parameters().size();
        if (count != expected) {
            throw new FulmarException(
                    ErrorCode.WRONG_PARAMETERS,
                    procedure.name() + " takes " + expected + " parameters " + describe(procedure.parameters())
                            + ", but " + count + " came; pass one value for each");
        }
    }

    private static String describe(List<ProcedureParameter> parameters) {
        StringBuilder text = new StringBuilder("(");
        for (ProcedureParameter parameter : parameters) {
            text.append(text.length() == 1 ? "" : ", ").append(parameter);
        }
        return text.append(')').toString();
    }

    /** The raw list. */
    public ParameterReader reader() {
        return reader;
    }

    public boolean isNull(int position) {
        return reader.isNull(position);
    }

    public boolean toBoolean(int position) {
        return switch (reader.tag(position)) {
            case BOOLEAN -> reader.getBoolean(position);
            case LONG -> integer(position, 0, 1) != 0;
            case NULL, DOUBLE, DECIMAL, STRING, BYTES, DATE, TIME, TIMESTAMP, UUID, ARRAY -> throw wrong(position);
        };
    }

    public byte toByte(int position) {
        return (byte) integer(position, Byte.MIN_VALUE, Byte.MAX_VALUE);
    }

    public short toShort(int position) {
        return (short) integer(position, Short.MIN_VALUE, Short.MAX_VALUE);
    }

    public int toInt(int position) {
        return (int) integer(position, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    public long toLong(int position) {
        return integer(position, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    public float toFloat(int position) {
        return (float) toDouble(position);
    }

    public double toDouble(int position) {
        return switch (reader.tag(position)) {
            case DOUBLE -> reader.getDouble(position);
            case LONG -> reader.getLong(position);
            case DECIMAL -> exact(position).doubleValue();
            case NULL, BOOLEAN, STRING, BYTES, DATE, TIME, TIMESTAMP, UUID, ARRAY -> throw wrong(position);
        };
    }

    public @Nullable Boolean boxedBoolean(int position) {
        return reader.isNull(position) ? null : toBoolean(position);
    }

    public @Nullable Byte boxedByte(int position) {
        return reader.isNull(position) ? null : toByte(position);
    }

    public @Nullable Short boxedShort(int position) {
        return reader.isNull(position) ? null : toShort(position);
    }

    public @Nullable Integer boxedInt(int position) {
        return reader.isNull(position) ? null : toInt(position);
    }

    public @Nullable Long boxedLong(int position) {
        return reader.isNull(position) ? null : toLong(position);
    }

    public @Nullable Float boxedFloat(int position) {
        return reader.isNull(position) ? null : toFloat(position);
    }

    public @Nullable Double boxedDouble(int position) {
        return reader.isNull(position) ? null : toDouble(position);
    }

    private long integer(int position, long minimum, long maximum) {
        long value = switch (reader.tag(position)) {
            case LONG -> reader.getLong(position);
            case BOOLEAN -> reader.getBoolean(position) ? 1 : 0;
            case DECIMAL, DOUBLE -> whole(position);
            case NULL, STRING, BYTES, DATE, TIME, TIMESTAMP, UUID, ARRAY -> throw wrong(position);
        };
        if (value < minimum || value > maximum) {
            throw wrong(position, value + ", which lies outside of " + minimum + " to " + maximum);
        }
        return value;
    }

    private long whole(int position) {
        try {
            return exact(position).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw wrong(position, reader.object(position) + ", which is no integer of 64 bits");
        }
    }

    private BigDecimal exact(int position) {
        return reader.tag(position) == ParameterTag.DOUBLE
                ? new BigDecimal(reader.getDouble(position))
                : present(reader.decimal(position));
    }

    public @Nullable String string(int position) {
        requireTag(position, ParameterTag.STRING);
        return reader.string(position);
    }

    public byte @Nullable [] bytes(int position) {
        requireTag(position, ParameterTag.BYTES);
        return reader.bytes(position);
    }

    public @Nullable BigDecimal decimal(int position) {
        return switch (reader.tag(position)) {
            case NULL -> null;
            case DECIMAL -> reader.decimal(position);
            case LONG -> BigDecimal.valueOf(reader.getLong(position));
            case DOUBLE -> shortest(position, reader.getDouble(position));
            case BOOLEAN, STRING, BYTES, DATE, TIME, TIMESTAMP, UUID, ARRAY -> throw wrong(position);
        };
    }

    private BigDecimal shortest(int position, double value) {
        if (!Double.isFinite(value)) {
            throw wrong(position, Double.toString(value));
        }
        return BigDecimal.valueOf(value);
    }

    public @Nullable LocalDate date(int position) {
        return requireTag(position, ParameterTag.DATE) ? CellValues.date(reader.getLong(position)) : null;
    }

    public @Nullable LocalTime time(int position) {
        return requireTag(position, ParameterTag.TIME) ? CellValues.time(reader.getLong(position)) : null;
    }

    public @Nullable LocalDateTime timestamp(int position) {
        return requireTag(position, ParameterTag.TIMESTAMP) ? CellValues.timestamp(reader.getLong(position)) : null;
    }

    public @Nullable Instant instant(int position) {
        LocalDateTime value = timestamp(position);
        return value == null ? null : InfiniteTime.ofUtc(value);
    }

    public @Nullable UUID uuid(int position) {
        requireTag(position, ParameterTag.UUID);
        return reader.uuid(position);
    }

    public boolean @Nullable [] booleans(int position) {
        return requireElements(position, ParameterTag.BOOLEAN) ? reader.booleans(position) : null;
    }

    public long @Nullable [] longs(int position) {
        return requireElements(position, ParameterTag.LONG) ? reader.longs(position) : null;
    }

    public int @Nullable [] ints(int position) {
        if (!requireElements(position, ParameterTag.LONG)) {
            return null;
        }
        int[] values = new int[reader.elementCount(position)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (int) element(position, i, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        return values;
    }

    public short @Nullable [] shorts(int position) {
        if (!requireElements(position, ParameterTag.LONG)) {
            return null;
        }
        short[] values = new short[reader.elementCount(position)];
        for (int i = 0; i < values.length; i++) {
            values[i] = (short) element(position, i, Short.MIN_VALUE, Short.MAX_VALUE);
        }
        return values;
    }

    private long element(int position, int element, long minimum, long maximum) {
        long value = reader.getLongElement(position, element);
        if (value < minimum || value > maximum) {
            throw wrong(
                    position,
                    "an array with the element " + value + ", which lies outside of " + minimum + " to " + maximum);
        }
        return value;
    }

    public double @Nullable [] doubles(int position) {
        if (reader.tag(position) == ParameterTag.ARRAY && reader.elementTag(position) == ParameterTag.LONG) {
            double[] values = new double[reader.elementCount(position)];
            for (int i = 0; i < values.length; i++) {
                values[i] = reader.getLongElement(position, i);
            }
            return values;
        }
        return requireElements(position, ParameterTag.DOUBLE) ? reader.doubles(position) : null;
    }

    public float @Nullable [] floats(int position) {
        double[] wide = doubles(position);
        if (wide == null) {
            return null;
        }
        float[] values = new float[wide.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) wide[i];
        }
        return values;
    }

    public String @Nullable [] strings(int position) {
        return requireElements(position, ParameterTag.STRING) ? reader.strings(position) : null;
    }

    public byte @Nullable [] @Nullable [] byteArrays(int position) {
        return objects(position, ParameterTag.BYTES, byte[].class);
    }

    public BigDecimal @Nullable [] decimals(int position) {
        return objects(position, ParameterTag.DECIMAL, BigDecimal.class);
    }

    public LocalDate @Nullable [] dates(int position) {
        return objects(position, ParameterTag.DATE, LocalDate.class);
    }

    public LocalTime @Nullable [] times(int position) {
        return objects(position, ParameterTag.TIME, LocalTime.class);
    }

    public LocalDateTime @Nullable [] timestamps(int position) {
        return objects(position, ParameterTag.TIMESTAMP, LocalDateTime.class);
    }

    public Instant @Nullable [] instants(int position) {
        LocalDateTime[] times = timestamps(position);
        if (times == null) {
            return null;
        }
        Instant[] values = new Instant[times.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = InfiniteTime.ofUtc(times[i]);
        }
        return values;
    }

    public UUID @Nullable [] uuids(int position) {
        return objects(position, ParameterTag.UUID, UUID.class);
    }

    private <T> T @Nullable [] objects(int position, ParameterTag tag, Class<T> type) {
        if (!requireElements(position, tag)) {
            return null;
        }
        Object source = present(reader.object(position));
        int count = reader.elementCount(position);
        @SuppressWarnings("unchecked") // an array of the component type that was asked for
        T[] values = (T[]) Array.newInstance(type, count);
        for (int i = 0; i < count; i++) {
            values[i] = type.cast(Array.get(source, i));
        }
        return values;
    }

    /** False for null; any other tag than the one is an error. */
    private boolean requireTag(int position, ParameterTag tag) {
        ParameterTag found = reader.tag(position);
        if (found == ParameterTag.NULL) {
            return false;
        }
        if (found != tag) {
            throw wrong(position);
        }
        return true;
    }

    private boolean requireElements(int position, ParameterTag tag) {
        ParameterTag found = reader.tag(position);
        if (found == ParameterTag.NULL) {
            return false;
        }
        if (found != ParameterTag.ARRAY || (reader.elementTag(position) != tag && reader.elementCount(position) != 0)) {
            throw wrong(position);
        }
        return true;
    }

    private FulmarException wrong(int position) {
        ParameterTag tag = reader.tag(position);
        return wrong(
                position,
                switch (tag) {
                    case NULL -> "NULL";
                    case ARRAY -> "an array of " + reader.elementTag(position) + " values";
                    case BOOLEAN, LONG, DOUBLE, DECIMAL, STRING, BYTES, DATE, TIME, TIMESTAMP, UUID ->
                        "a " + tag + " value";
                });
    }

    private FulmarException wrong(int position, String came) {
        LoadedProcedure called = present(procedure);
        ProcedureParameter parameter = called.parameters().get(position);
        return new FulmarException(
                ErrorCode.WRONG_PARAMETERS,
                "parameter " + (position + 1) + " of " + called.name() + " is " + parameter + ", but " + came
                        + " came; pass a value of that type");
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("no parameter list is open");
        }
        return value;
    }
}
