package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;

/** Binds a caller's parameters directly to a statement's, for SQL without procedure code around it. */
public final class ParameterBinder {
    private ParameterBinder() {}

    /** Binds one value; every conversion is that of {@link Bindings}. */
    public static void bind(ParameterReader source, int position, Bindings target, int parameter) {
        try {
            set(source, position, target, parameter);
        } catch (FulmarException e) {
            if (e.code() == ErrorCode.TYPE_MISMATCH) {
                throw new FulmarException(ErrorCode.WRONG_PARAMETERS, String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }

    private static void set(ParameterReader source, int position, Bindings target, int parameter) {
        switch (source.tag(position)) {
            case NULL -> target.setNull(parameter);
            case BOOLEAN -> target.setBoolean(parameter, source.getBoolean(position));
            case LONG -> target.setLong(parameter, source.getLong(position));
            case DOUBLE -> target.setDouble(parameter, source.getDouble(position));
            case DECIMAL -> setDecimal(source, position, target, parameter);
            case STRING -> setText(source, position, target, parameter);
            case BYTES ->
                target.setBytes(parameter, source.array(), source.bytesOffset(position), source.bytesLength(position));
            case DATE -> target.setDate(parameter, source.getLong(position));
            case TIME -> target.setTime(parameter, source.getLong(position));
            case TIMESTAMP -> target.setTimestamp(parameter, source.getLong(position));
            case UUID -> target.setUuid(parameter, source.getUuidHigh(position), source.getUuidLow(position));
            case ARRAY ->
                throw new FulmarException(
                        ErrorCode.WRONG_PARAMETERS,
                        "parameter " + (position + 1) + " is an array, which no statement takes; pass single values");
        }
    }

    private static void setDecimal(ParameterReader source, int position, Bindings target, int parameter) {
        long low = source.decimalLow(position);
        if (source.decimalHigh(position) == low >> 63) {
            target.setDecimal(parameter, low, source.decimalScale(position));
            return;
        }
        BigDecimal value = source.decimal(position);
        if (value != null) {
            target.setDecimal(parameter, value);
        }
    }

    private static void setText(ParameterReader source, int position, Bindings target, int parameter) {
        if (target.type(parameter).kind().isCharacter()) {
            target.setBytes(parameter, source.array(), source.bytesOffset(position), source.bytesLength(position));
            return;
        }
        String text = source.string(position);
        if (text != null) {
            target.setString(parameter, text);
        }
    }
}
