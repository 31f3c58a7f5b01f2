package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.type.BooleanForm;
import dev.fulmar.wire.postgres.type.CharacterForm;
import dev.fulmar.wire.postgres.type.DatetimeForm;
import dev.fulmar.wire.postgres.type.FloatForm;
import dev.fulmar.wire.postgres.type.IntegerForm;
import dev.fulmar.wire.postgres.type.ParameterForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;

/** Decodes the values of rows into parameters, without an object for most of them. Not thread-safe. */
final class RowDecoder {
    private final PostgresType[] types;

    /** Of each column, whether it is of arrays of its type. */
    private final boolean[] isArray;

    private final CopyPlace place;
    private final boolean isText;
    private final ZoneId zone;

    /**
     * Makes a decoder for the rows of one COPY.
     *
     * @param types of the columns, in order
     * @param zone of instants that say none
     */
    RowDecoder(List<ColumnType> types, CopyPlace place, boolean isText, ZoneId zone) {
        this.zone = zone;
        this.types = types.stream().map(PostgresType::of).toArray(PostgresType[]::new);
        isArray = new boolean[types.size()];
        for (int i = 0; i < isArray.length; i++) {
            isArray[i] = types.get(i).isArray();
        }
        this.place = place;
        this.isText = isText;
    }

    /** Appends the values of a row; an error names line and column. */
    void add(CopyRow row, ParameterWriter out) {
        for (int i = 0; i < types.length; i++) {
            try {
                if (row.isNull(i)) {
                    out.addNull();
                } else if (isArray[i]) {
                    byte[] value = Arrays.copyOfRange(row.bytes(), row.from(i), row.to(i));
                    ParameterForm.addArrayText(
                            out, types[i], isText ? ValueFormat.TEXT : ValueFormat.BINARY, value, zone);
                } else {
                    add(types[i], row.bytes(), row.from(i), row.to(i), out);
                }
            } catch (FulmarException e) {
                throw place.at(i, row, isText, e);
            }
        }
    }

    private void add(PostgresType type, byte[] bytes, int from, int to, ParameterWriter out) {
        boolean isCharacters = type.isText() && (isText || type != PostgresType.JSONB);
        boolean isDone =
                isCharacters ? addCharacters(bytes, from, to, out) : isText && addText(type, bytes, from, to, out);
        if (!isDone) {
            ValueFormat format = isText ? ValueFormat.TEXT : ValueFormat.BINARY;
            byte[] value = Arrays.copyOfRange(bytes, from, to);
            if (type == PostgresType.TIMESTAMPTZ) {
                ParameterForm.addInstant(out, type, format, value, zone);
            } else {
                ParameterForm.add(out, type, format, value, zone);
            }
        }
    }

    private static boolean addCharacters(byte[] bytes, int from, int to, ParameterWriter out) {
        CharacterForm.check(bytes, from, to);
        out.addUtf8(bytes, from, to - from);
        return true;
    }

    /** Appends a value where it lies; false if its type needs an array by itself. */
    private static boolean addText(PostgresType type, byte[] bytes, int from, int to, ParameterWriter out) {
        switch (type) {
            case BOOL -> out.add(BooleanForm.parse(bytes, from, to));
            case INT2, INT4, INT8 -> out.add(IntegerForm.parse(type, bytes, from, to));
            case FLOAT4 -> out.add((double) FloatForm.parseFloat(bytes, from, to));
            case FLOAT8 -> out.add(FloatForm.parse(bytes, from, to));
            case DATE -> out.addDate(DatetimeForm.cellDay(DatetimeForm.parseDate(bytes, from, to)));
            case TIMESTAMP -> out.addTimestamp(DatetimeForm.cellMicros(DatetimeForm.parseTimestamp(bytes, from, to)));
            default -> {
                return false;
            }
        }
        return true;
    }
}
