package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.execution.value.Texts;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.StatementZone;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Converts literals while a statement is planned. What is impossible stays a CAST, so that the error comes when, and
 * only if, it runs.
 */
final class LiteralConversion {
    /** Numerics of more digits become others when the statement runs, which says what is too large. */
    private static final int MOST_FOLDED_DIGITS = 38;

    private static final long MICROS_PER_SECOND = 1_000_000;

    private LiteralConversion() {}

    /** The literal in the type; empty where the conversion fails or is left to the engine. */
    static Optional<Expression.Literal> convert(Expression.Literal literal, ColumnType type) {
        Object value = literal.value();
        if (value == null) {
            return Optional.of(new Expression.Literal(type, null));
        }
        try {
            Object converted = switch (value) {
                case String text -> ofText(text, type);
                case Boolean flag -> type.kind() == TypeKind.BOOLEAN ? flag : null;
                case Long code
                when literal.type().kind() == TypeKind.ENUM ->
                    type.kind().isCharacter() ? ofText(literal.type().labels().text(code), type) : null;
                case Long number ->
                    isTemporal(literal.type())
                            ? ofTemporal(number, literal.type(), type)
                            : ofNumber(BigDecimal.valueOf(number), type);
                case BigDecimal number -> ofNumber(number, type);
                case Numeric number -> ofNumeric(number, type);
                case Double number ->
                    Conversion.isApproximate(type) ? ofNumber(BigDecimal.valueOf(number), type) : null;
                case byte[] bytes ->
                    type.kind() == TypeKind.VARBINARY && bytes.length <= type.precision() ? bytes : null;
                case UUID uuid -> type.kind() == TypeKind.UUID ? uuid : null;
                case Interval interval -> ofInterval(interval, type);
                default -> null;
            };
            return converted == null ? Optional.empty() : Optional.of(new Expression.Literal(type, converted));
        } catch (ArithmeticException | NumberFormatException | DateTimeException e) {
            return Optional.empty();
        } catch (FulmarException e) {
            if (type.kind() == TypeKind.NUMERIC) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static @Nullable Object ofNumeric(Numeric number, ColumnType type) {
        if (type.kind() == TypeKind.NUMERIC) {
            return number.fitted(type);
        }
        return number.isNumber()
                        && Conversion.isNumeric(type)
                        && number.number().precision() <= MOST_FOLDED_DIGITS
                ? ofNumber(number.number(), type)
                : null;
    }

    /** The text as a UUID, if it is one. */
    static Optional<Expression.Literal> toUuid(Expression expression) {
        return expression instanceof Expression.Literal literal && literal.value() instanceof String
                ? convert(literal, ColumnType.of(TypeKind.UUID))
                : Optional.empty();
    }

    /** Whether the number is exactly a value of the exact type. */
    static boolean isExact(Expression.Literal literal, ColumnType type) {
        BigDecimal number = switch (literal.value()) {
            case Long integer -> BigDecimal.valueOf(integer);
            case BigDecimal decimal -> decimal;
            case Numeric numeric when numeric.isNumber() -> numeric.number();
            case null, default -> null;
        };
        if (type.kind() == TypeKind.NUMERIC) {
            return type.precision() == 0 && literal.value() != null && !(literal.value() instanceof Double);
        }
        if (number == null || !Conversion.isExact(type)) {
            return false;
        }
        try {
            return fits(number.setScale(type.scale(), RoundingMode.UNNECESSARY), type);
        } catch (ArithmeticException e) {
            return false;
        }
    }

    private static boolean isTemporal(ColumnType type) {
        return type.kind() == TypeKind.DATE
                || type.kind() == TypeKind.TIME
                || type.kind() == TypeKind.TIMESTAMP
                || type.kind() == TypeKind.TIMESTAMP_TZ;
    }

    private static @Nullable Object ofTemporal(long value, ColumnType from, ColumnType to) {
        if (from.kind() == to.kind()) {
            return value;
        }
        long microsPerDay = 86_400 * MICROS_PER_SECOND;
        if (from.kind() == TypeKind.DATE && to.kind() == TypeKind.TIMESTAMP) {
            return Math.multiplyExact(value, microsPerDay);
        }
        if (from.kind() == TypeKind.TIMESTAMP && to.kind() == TypeKind.DATE) {
            return Math.floorDiv(value, microsPerDay);
        }
        return null;
    }

    private static @Nullable Object ofNumber(BigDecimal number, ColumnType type) {
        return switch (type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> {
                BigDecimal whole = number.setScale(0, RoundingMode.HALF_UP);
                yield fits(whole, type) ? (Object) whole.longValueExact() : null;
            }
            case DECIMAL -> {
                BigDecimal scaled = number.setScale(type.scale(), RoundingMode.HALF_UP);
                yield fits(scaled, type) ? scaled : null;
            }
            case REAL -> Float.isFinite(number.floatValue()) ? (Object) (double) number.floatValue() : null;
            case DOUBLE -> Double.isFinite(number.doubleValue()) ? (Object) number.doubleValue() : null;
            case NUMERIC -> Numeric.of(number).fitted(type);
            case BOOLEAN,
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
                    ENUM -> null;
        };
    }

    private static boolean fits(BigDecimal number, ColumnType type) {
        return switch (type.kind()) {
            case TINYINT -> number.compareTo(BigDecimal.valueOf(number.byteValue())) == 0;
            case SMALLINT -> number.compareTo(BigDecimal.valueOf(number.shortValue())) == 0;
            case INTEGER -> number.compareTo(BigDecimal.valueOf(number.intValue())) == 0;
            case BIGINT -> number.compareTo(BigDecimal.valueOf(number.longValue())) == 0;
            case DECIMAL -> number.precision() <= type.precision();
            case BOOLEAN,
                    REAL,
                    DOUBLE,
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
                    ENUM,
                    NUMERIC -> false;
        };
    }

    private static @Nullable Object ofText(String text, ColumnType type) {
        return switch (type.kind()) {
            case CHAR -> fitting(PaddedText.withoutBlanks(text), type);
            case VARCHAR -> fitting(text, type);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, REAL, DOUBLE ->
                text.length() > 64 ? null : ofNumber(new BigDecimal(text.strip()), type);
            case DATE, TIME, TIMESTAMP -> moment(text, type);
            case UUID -> Texts.uuid(text.strip());
            case JSON, JSONB -> JsonText.of(text, type);
            case INTERVAL -> {
                StatementZone.checkInterval(
                        text, style -> IntervalShape.of(type).parse(text, style));
                yield IntervalShape.of(type).parse(text, StatementZone.intervalStyle());
            }
            case ARRAY -> ArrayTexts.parse(text, type, StatementZone.current());
            case ENUM -> type.labels().code(text);
            case NUMERIC -> Numeric.parse(text).fitted(type);
            case BOOLEAN, VARBINARY, TIMESTAMP_TZ -> null;
        };
    }

    /** The engine's CAST reads months first, so a text that is none in another order fails now. */
    private static @Nullable Object moment(String text, ColumnType type) {
        DateOrder order = StatementZone.dateOrder();
        StatementZone.checkDate(text);
        try {
            return switch (type.kind()) {
                case DATE -> Temporals.parseDate(text, order);
                case TIME -> Temporals.parseTime(text, order);
                default -> Temporals.parseTimestamp(text, order);
            };
        } catch (FulmarException e) {
            if (order != DateOrder.MDY) {
                throw e;
            }
            return null;
        }
    }

    private static @Nullable Object ofInterval(Interval interval, ColumnType type) {
        return type.kind() == TypeKind.INTERVAL ? IntervalShape.of(type).fitted(interval) : null;
    }

    private static @Nullable String fitting(String text, ColumnType type) {
        return text.codePointCount(0, text.length()) <= type.precision() ? text : null;
    }
}
