package dev.fulmar.postgres.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.ParameterForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parameters as clients send them, and as the engine takes them. */
public final class ParameterForms {
    private static final int FIRST_BYTES = 64;
    private static final int MOST_BYTES = 64 << 20;

    private ParameterForms() {}

    /** A list of nulls for a translated statement, where values do not matter. */
    public static byte[] nulls(Translation translation) {
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        translation.parameters().forEach(number -> writer.addNull());
        return writer.toByteArray();
    }

    /**
     * The OIDs of the client's parameters: those that it has given, and the others as the engine has inferred them.
     *
     * @param inferred types of the parameters of the translated statement
     */
    public static List<Integer> types(Translation translation, List<ColumnType> inferred, List<Integer> given) {
        List<Integer> types = new ArrayList<>();
        int count = Math.max(translation.parameterCount(), given.size());
        for (int i = 0; i < count; i++) {
            int type = i < given.size() ? given.get(i) : 0;
            types.add(type == 0 || type == PostgresType.UNKNOWN.oid() ? inferred(translation, inferred, i) : type);
        }
        return types;
    }

    private static int inferred(Translation translation, List<ColumnType> inferred, int number) {
        int place = translation.parameters().indexOf(number);
        if (place < 0 || place >= inferred.size()) {
            throw new FulmarException(
                    ErrorCode.INDETERMINATE_TYPE,
                    "could not determine data type of parameter $" + (number + 1) + "; use it, or CAST it to a type");
        }
        return PostgresType.of(inferred.get(place)).oid();
    }

    /** The parameters of a translated statement, with the values of the client. */
    public static byte[] bound(Translation translation, List<Integer> types, FrontendMessage.Bind bind) {
        byte[] @Nullable [] values = bind.values();
        if (values.length != types.size()) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "bind message supplies " + values.length + " parameters, but prepared statement \""
                            + bind.statement() + "\" requires " + types.size() + "; give it so many");
        }
        ValueFormats formats = bind.parameterFormats().checkedFor(values.length, "parameters");
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        for (int number : translation.parameters()) {
            add(writer, types.get(number), formats.at(number), values[number], number);
        }
        return writer.toByteArray();
    }

    private static void add(ParameterWriter writer, int oid, ValueFormat format, byte @Nullable [] value, int number) {
        Optional<PostgresType> type = PostgresType.of(oid);
        Optional<PostgresType> element = PostgresType.ofArray(oid);
        if (type.isPresent()) {
            ParameterForm.add(writer, type.get(), format, value, ZoneOffset.UTC);
        } else if (element.isPresent()) {
            ParameterForm.addArray(writer, element.get(), format, value, ZoneOffset.UTC);
        } else {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "parameter $" + (number + 1) + " has a type with the OID " + oid
                            + ", which there is not; CAST it to another one");
        }
    }
}
