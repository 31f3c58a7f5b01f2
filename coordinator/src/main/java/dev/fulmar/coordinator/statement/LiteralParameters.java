package dev.fulmar.coordinator.statement;

import dev.fulmar.engine.spi.SqlFrontend.Literal;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.TypeKind;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters that stand for the literals of a text. A literal fits a parameter's type if the one value of that type
 * is what the literal means.
 */
final class LiteralParameters {
    private static final int INITIAL_BYTES = 64;
    private static final int MAX_BYTES = 1 << 20;
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private LiteralParameters() {}

    /** Parameters in the format of requests; null if one does not fit its type, or if there are not as many. */
    static byte @Nullable [] of(List<Literal> literals, List<ColumnType> types) {
        if (literals.size() != types.size()) {
            return null;
        }
        ParameterWriter writer = new ParameterWriter(INITIAL_BYTES, MAX_BYTES).begin();
        for (int i = 0; i < literals.size(); i++) {
            if (!add(writer, literals.get(i), types.get(i))) {
                return null;
            }
        }
        return writer.toByteArray();
    }

    private static boolean add(ParameterWriter writer, Literal literal, ColumnType type) {
        return switch (literal) {
            case Literal.Whole(long value) -> addWhole(writer, value, type);
            case Literal.Fraction(BigDecimal value) -> addDecimal(writer, value, type);
            case Literal.Text(String value) -> addText(writer, value, type);
        };
    }

    private static boolean addWhole(ParameterWriter writer, long value, ColumnType type) {
        boolean fits = switch (type.kind()) {
            case TINYINT -> value == (byte) value;
            case SMALLINT -> value == (short) value;
            case INTEGER -> value == (int) value;
            case BIGINT -> true;
            case DOUBLE -> Math.abs(value) <= EXACT_IN_DOUBLE;
            case DECIMAL, NUMERIC -> {
                yield addDecimal(writer, BigDecimal.valueOf(value), type);
            }
            case BOOLEAN,
                    REAL,
                    CHAR,
                    VARCHAR,
                    VARBINARY,
                    DATE,
                    TIME,
                    TIMESTAMP,
                    TIMESTAMP_TZ,
                    UUID,
                    JSON,
                    JSONB,
                    INTERVAL,
                    ARRAY,
                    ENUM -> false;
        };
        if (fits && type.kind() != TypeKind.DECIMAL && type.kind() != TypeKind.NUMERIC) {
            writer.add(value);
        }
        return fits;
    }

    private static boolean addDecimal(ParameterWriter writer, BigDecimal value, ColumnType type) {
        boolean keepsAll = type.kind() == TypeKind.NUMERIC && type.precision() == 0;
        boolean fits = keepsAll
                || (type.kind() == TypeKind.DECIMAL
                        && value.scale() <= type.scale()
                        && value.precision() - value.scale() <= type.precision() - type.scale());
        if (fits) {
            writer.add(value);
        }
        return fits;
    }

    /**
     * A document, an interval or an array is looked at when it is bound. An unknown label is when the text is planned.
     */
    private static boolean addText(ParameterWriter writer, String value, ColumnType type) {
        boolean isArray = type.isArray() && !isOfStyle(type.element().kind());
        boolean fits = type.kind().isJson()
                || isArray
                || (type.kind() == TypeKind.INTERVAL && saysItsUnits(value))
                || (type.kind().isCharacter() && value.length() <= type.precision())
                || (type.kind() == TypeKind.ENUM && type.labels().find(value).isPresent());
        if (fits) {
            writer.add(value);
        }
        return fits;
    }

    /** Whether texts of the type are read in the zone, or in the order of dates, that the statement says. */
    private static boolean isOfStyle(TypeKind kind) {
        return switch (kind) {
            case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> true;
            default -> false;
        };
    }

    /**
     * A number without a unit is of the last field of a column, which a parameter does not know. What a sign before all
     * numbers means is a matter of the statement's style.
     */
    private static boolean saysItsUnits(String interval) {
        if (interval.strip().startsWith("-")) {
            return false;
        }
        boolean endsWithUnit = !interval.isEmpty() && Character.isLetter(interval.charAt(interval.length() - 1));
        return endsWithUnit || interval.indexOf(':') != interval.lastIndexOf(':');
    }
}
