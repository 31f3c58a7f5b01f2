package dev.fulmar.postgres.value;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.ParameterForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
     * @param arrays positions of those that are arrays of their types
     */
    public static List<Integer> types(
            Translation translation, List<ColumnType> inferred, List<Integer> arrays, List<Integer> given) {
        List<Integer> types = new ArrayList<>();
        int count = Math.max(translation.parameterCount(), given.size());
        int[] places = places(translation, count);
        Set<Integer> listed = Set.copyOf(arrays);
        for (int i = 0; i < count; i++) {
            int type = i < given.size() ? given.get(i) : 0;
            boolean isGiven = type != 0 && type != PostgresType.UNKNOWN.oid();
            types.add(isGiven ? type : inferred(translation, inferred, listed, i, places[i]));
        }
        return types;
    }

    /**
     * Gives those of the client's parameters a type that have none yet.
     *
     * @param inferred types of the parameters of the translated statement
     * @param arrays positions of those that are arrays of their types
     * @param types OIDs of the client's parameters; 0 for none
     */
    public static void infer(
            Translation translation, List<ColumnType> inferred, List<Integer> arrays, List<Integer> types) {
        Set<Integer> listed = Set.copyOf(arrays);
        for (int place = 0; place < Math.min(translation.parameters().size(), inferred.size()); place++) {
            int number = translation.parameters().get(place);
            boolean isOpen = number < types.size()
                    && (types.get(number) == 0 || types.get(number) == PostgresType.UNKNOWN.oid());
            if (isOpen) {
                types.set(number, inferred(translation, inferred, listed, number, place));
            }
        }
    }

    /** The first place of each of the client's parameters in the translated statement; -1 for none. */
    private static int[] places(Translation translation, int count) {
        int[] places = new int[count];
        Arrays.fill(places, -1);
        for (int place = translation.parameters().size() - 1; place >= 0; place--) {
            places[translation.parameters().get(place)] = place;
        }
        return places;
    }

    private static int inferred(
            Translation translation, List<ColumnType> inferred, Set<Integer> listed, int number, int place) {
        if (place < 0 || place >= inferred.size()) {
            throw indeterminate(number);
        }
        ColumnType type = inferred.get(place);
        boolean isListed = translation.isArray(place) || listed.contains(place);
        return isListed && !type.isArray() ? PostgresType.of(type).arrayOid() : PostgresType.oid(type);
    }

    /**
     * Whether values of the client's types can be those that the engine has inferred.
     *
     * @param inferred types of the parameters of the translated statement
     * @param given OIDs of the first parameters; 0 for none
     */
    public static boolean fit(Translation translation, List<ColumnType> inferred, List<Integer> given) {
        for (int place = 0; place < Math.min(translation.parameters().size(), inferred.size()); place++) {
            int number = translation.parameters().get(place);
            ColumnType type = number < given.size()
                    ? PostgresType.of(given.get(number))
                            .flatMap(PostgresType::columnType)
                            .orElse(null)
                    : null;
            if (type != null && !translation.isArray(place) && !fits(type, inferred.get(place))) {
                return false;
            }
        }
        return true;
    }

    /**
     * A text may be the text of anything. A column of texts has a UUID's; the texts that the engine has for other types
     * are not those of PostgreSQL.
     */
    private static boolean fits(ColumnType given, ColumnType inferred) {
        Family family = Family.of(given);
        return family == Family.TEXT
                || family == Family.of(inferred)
                || (inferred.kind().isCharacter() && family != Family.UUID);
    }

    /** Types of which the engine takes values for each other. */
    private enum Family {
        BOOLEAN,
        NUMBER,
        TEXT,
        MOMENT,
        TIME,
        INTERVAL,
        UUID,
        OTHER;

        static Family of(ColumnType type) {
            return switch (type.kind()) {
                case BOOLEAN -> BOOLEAN;
                case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE, NUMERIC -> NUMBER;
                case CHAR, VARCHAR, JSON, JSONB, ENUM -> TEXT;
                case DATE, TIMESTAMP, TIMESTAMP_TZ -> MOMENT;
                case TIME -> TIME;
                case INTERVAL -> INTERVAL;
                case UUID -> UUID;
                case VARBINARY, ARRAY -> OTHER;
            };
        }
    }

    /** The error for a parameter of no type, by its number from 0. */
    public static FulmarException indeterminate(int number) {
        return new FulmarException(
                ErrorCode.INDETERMINATE_TYPE,
                "could not determine data type of parameter $" + (number + 1) + "; use it, or CAST it to a type");
    }

    /**
     * A translated statement with its parameters.
     *
     * @param translation with a parameter for each element of an array
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    public record Values(Translation translation, byte[] parameters) {}

    /**
     * The parameters of a translated statement, with the values of the client.
     *
     * @param inferred types of the parameters of the translated statement; none for a command of the session
     * @param zone of the session
     */
    public static Values bound(
            Translation translation,
            List<Integer> types,
            List<ColumnType> inferred,
            FrontendMessage.Bind bind,
            ZoneId zone) {
        byte[] @Nullable [] values = bind.values();
        checkCount(bind, types.size());
        ValueFormats formats = bind.parameterFormats().checkedFor(values.length, "parameters");
        ParameterWriter writer = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        List<Integer> counts = new ArrayList<>();
        List<String> elements = new ArrayList<>();
        for (int place = 0; place < translation.parameters().size(); place++) {
            int number = translation.parameters().get(place);
            Optional<PostgresType> type = PostgresType.orLabels(types.get(number));
            boolean isInstant = place < inferred.size() && inferred.get(place).kind() == TypeKind.TIMESTAMP_TZ;
            if (translation.isArray(place)) {
                ColumnType element = place < inferred.size()
                        ? inferred.get(place)
                        : PostgresType.ofArray(types.get(number))
                                .flatMap(PostgresType::columnType)
                                .orElseThrow(() -> indeterminate(number));
                counts.add(addElements(writer, types.get(number), formats.at(number), values[number], element, zone));
                elements.add(element.toString());
            } else if (place < inferred.size() && inferred.get(place).isArray()) {
                addArray(writer, types.get(number), formats.at(number), values[number], number, zone);
            } else if (isInstant && type.isPresent()) {
                ParameterForm.addInstant(writer, type.get(), formats.at(number), values[number], zone);
            } else if (place < inferred.size() && isWrittenAsText(types.get(number), inferred.get(place))) {
                addWritten(writer, types.get(number), formats.at(number), values[number], number, zone);
            } else {
                add(writer, types.get(number), formats.at(number), values[number], number, zone);
            }
        }
        return new Values(
                counts.isEmpty() ? translation : translation.expanded(counts, elements), writer.toByteArray());
    }

    /** Fails if there are not so many values. */
    public static void checkCount(FrontendMessage.Bind bind, int count) {
        if (bind.values().length != count) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "bind message supplies " + bind.values().length + " parameters, but prepared statement \""
                            + bind.statement() + "\" requires " + count + "; give it so many");
        }
    }

    /**
     * Appends the elements of an array as parameters, and some of them again: statements of a few lengths need few
     * plans.
     *
     * @param inferred type of the elements
     * @return how many parameters they are
     */
    private static int addElements(
            ParameterWriter writer,
            int oid,
            ValueFormat format,
            byte @Nullable [] value,
            ColumnType inferred,
            ZoneId zone) {
        if (value == null) {
            writer.addNull();
            return 1;
        }
        PostgresType element = PostgresType.ofArray(oid).orElse(PostgresType.of(inferred));
        boolean isInstant = inferred.kind() == TypeKind.TIMESTAMP_TZ;
        List<@Nullable Object> elements = ParameterForm.elements(element, format, value, zone, isInstant);
        if (elements.size() > Translation.MOST_ELEMENTS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "an array in = ANY or <> ALL has " + elements.size() + " elements and may have "
                            + Translation.MOST_ELEMENTS + "; ask for them in parts, or join with a table of them");
        }
        int count = elements.isEmpty() ? 0 : sizeClass(elements.size());
        for (int i = 0; i < count; i++) {
            writer.addObject(elements.get(Math.min(i, elements.size() - 1)));
        }
        return count;
    }

    private static int sizeClass(int elements) {
        int power = Integer.highestOneBit(elements);
        return Math.min(power == elements ? power : 2 * power, Translation.MOST_ELEMENTS);
    }

    /** A column of texts takes an exact number as its digits (PostgreSQL manual §10.4). */
    private static boolean isWrittenAsText(int oid, ColumnType inferred) {
        boolean isExact = PostgresType.of(oid)
                .filter(type -> switch (type) {
                    case INT2, INT4, INT8, NUMERIC -> true;
                    default -> false;
                })
                .isPresent();
        return isExact && inferred.kind().isCharacter();
    }

    private static void addWritten(
            ParameterWriter writer, int oid, ValueFormat format, byte @Nullable [] value, int number, ZoneId zone) {
        ParameterWriter alone = new ParameterWriter(FIRST_BYTES, MOST_BYTES).begin();
        add(alone, oid, format, value, number, zone);
        byte[] list = alone.toByteArray();
        Object known = new ParameterReader(1).wrap(list, 0, list.length).object(0);
        writer.addObject(
                switch (known) {
                    case null -> null;
                    case BigDecimal exact -> exact.toPlainString();
                    default -> known.toString();
                });
    }

    /** A value of a column of arrays, as its text. */
    private static void addArray(
            ParameterWriter writer, int oid, ValueFormat format, byte @Nullable [] value, int number, ZoneId zone) {
        Optional<PostgresType> element = PostgresType.ofArray(oid);
        if (element.isPresent()) {
            ParameterForm.addArrayText(writer, element.get(), format, value, zone);
        } else {
            add(writer, oid, format, value, number, zone);
        }
    }

    private static void add(
            ParameterWriter writer, int oid, ValueFormat format, byte @Nullable [] value, int number, ZoneId zone) {
        Optional<PostgresType> type = PostgresType.orLabels(oid);
        Optional<PostgresType> element = PostgresType.ofArray(oid);
        if (type.isPresent()) {
            ParameterForm.add(writer, type.get(), format, value, zone);
        } else if (element.isPresent()) {
            ParameterForm.addArray(writer, element.get(), format, value, zone);
        } else {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "parameter $" + (number + 1) + " has a type with the OID " + oid
                            + ", which there is not; CAST it to another one");
        }
    }
}
