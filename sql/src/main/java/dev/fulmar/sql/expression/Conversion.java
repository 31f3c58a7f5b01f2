package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.StatementZone;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Adds the implicit CASTs between SQL types to expressions, and finds the type in which operands are compared. */
public final class Conversion {
    private static final ColumnType DOUBLE = ColumnType.of(TypeKind.DOUBLE);
    private static final ColumnType NUMERIC = ColumnType.of(TypeKind.NUMERIC);
    private static final ColumnType REAL = ColumnType.of(TypeKind.REAL);

    private Conversion() {}

    /** The expression as the type: itself if it has it, a literal converted now where that is possible, or a CAST. */
    public static Expression cast(Expression expression, ColumnType type) {
        if (holdsAs(expression.type(), type)) {
            return expression;
        }
        if (type.hasFewerDigits()) {
            return rounded(cast(expression, ColumnType.of(type.kind())), type);
        }
        if (ZonedConversion.concerns(expression.type(), type)) {
            return ZonedConversion.cast(expression, type);
        }
        JsonRules.checkCast(expression.type(), type);
        IntervalRules.checkCast(expression.type(), type);
        EnumRules.checkCast(expression.type(), type);
        ArrayRules.checkCast(expression.type(), type);
        if (type.isArray()) {
            return ArrayRules.array(expression, type);
        }
        if (expression.type().isArray()) {
            return ArrayRules.text(expression, type);
        }
        if (type.kind() == TypeKind.ENUM) {
            return EnumRules.label(expression, type);
        }
        if (type.kind().isJson()) {
            return JsonRules.document(expression, type);
        }
        if (type.kind() == TypeKind.INTERVAL) {
            return IntervalRules.interval(expression, type);
        }
        IntervalStyle style = StatementZone.intervalStyle();
        if (expression.type().kind() == TypeKind.INTERVAL
                && type.kind().isCharacter()
                && style != IntervalStyle.POSTGRES) {
            Expression name =
                    new Expression.Literal(ColumnType.varchar(style.name().length()), style.name());
            return new Expression.Call(
                    ScalarFunction.INTERVAL_TEXT, List.of(expression, name), type, expression.nullable());
        }
        Expression named = NamedMoments.of(expression, type);
        if (named != null) {
            return named;
        }
        if (expression instanceof Expression.Literal literal) {
            Optional<Expression.Literal> converted = LiteralConversion.convert(literal, type);
            if (converted.isPresent()) {
                return converted.get();
            }
        }
        if (type.kind() == TypeKind.DATE || type.kind() == TypeKind.TIME || type.kind() == TypeKind.TIMESTAMP) {
            NamedMoments.checkOrder(expression);
        }
        if (expression instanceof Expression.Call call && isNarrowing(call, type)) {
            return new Expression.Call(call.function(), call.arguments(), type, call.nullable());
        }
        if (expression instanceof Expression.Call call && mayBeInfinite(call, type)) {
            return new Expression.Call(call.function(), call.arguments(), type, call.nullable());
        }
        return new Expression.Call(ScalarFunction.CAST, List.of(expression), type, expression.nullable());
    }

    /** Of an infinity the year, and the seconds since 1970, are infinite as a DOUBLE, and an error else. */
    private static boolean mayBeInfinite(Expression.Call call, ColumnType type) {
        return type.kind() == TypeKind.DOUBLE
                && (call.function() == ScalarFunction.EXTRACT_YEAR || call.function() == ScalarFunction.EPOCH);
    }

    /** A time whose seconds have as many digits as its type says. */
    private static Expression rounded(Expression time, ColumnType type) {
        return time instanceof Expression.Literal literal && literal.value() instanceof Long micros
                ? new Expression.Literal(type, Temporals.rounded(micros, type))
                : new Expression.Call(ScalarFunction.CAST, List.of(time), type, time.nullable());
    }

    /**
     * A value in whose order rows are written: of a document or interval that of its text, which tells all of them
     * apart.
     */
    public static Expression sortable(Expression value) {
        return value.type().kind().hasEqualForms() ? cast(value, ColumnType.varchar(TypeMapping.MAX_LENGTH)) : value;
    }

    /**
     * Decimal arithmetic checks its result against its type, so a CAST that only takes digits away can become that
     * type.
     */
    private static boolean isNarrowing(Expression.Call call, ColumnType type) {
        boolean isSum = call.function() == ScalarFunction.PLUS
                || call.function() == ScalarFunction.MINUS
                || call.function() == ScalarFunction.TIMES;
        return isSum
                && type.kind() == TypeKind.DECIMAL
                && call.type().kind() == TypeKind.DECIMAL
                && call.type().scale() == type.scale();
    }

    /** As {@link #cast}, but text keeps its length: storing too long a text is an error and not a cut. */
    public static Expression assign(Expression expression, ColumnType type) {
        Expression whole = expression;
        while (whole instanceof Expression.Call call
                && call.function() == ScalarFunction.CAST
                && sameFamily(call.type(), call.arguments().getFirst().type())
                && hasLength(call.type())
                && (call.type().kind() != TypeKind.CHAR || type.kind() == TypeKind.CHAR)) {
            whole = call.arguments().getFirst();
        }
        return hasLength(type) && sameFamily(whole.type(), type) && !isNullLiteral(whole) ? whole : cast(whole, type);
    }

    /** One of several values of the type: a text keeps its length, but no CHAR has blanks at its end. */
    static Expression choice(Expression expression, ColumnType type) {
        if (type.kind() != TypeKind.CHAR) {
            return assign(expression, type);
        }
        return expression.type().kind() == TypeKind.CHAR ? expression : cast(expression, type);
    }

    private static boolean isNullLiteral(Expression expression) {
        return expression instanceof Expression.Literal literal && literal.value() == null;
    }

    private static boolean hasLength(ColumnType type) {
        return type.kind().isCharacter() || type.kind() == TypeKind.VARBINARY;
    }

    private static boolean sameFamily(ColumnType a, ColumnType b) {
        return a.kind() == b.kind() || (a.kind().isCharacter() && b.kind().isCharacter());
    }

    /** Whether every value of one type is, bit for bit, the same value of the other. */
    static boolean holdsAs(ColumnType from, ColumnType to) {
        if (hasLength(from) && sameFamily(from, to)) {
            boolean losesBlanks = to.kind() == TypeKind.CHAR && from.kind() != TypeKind.CHAR;
            return !losesBlanks && from.precision() <= to.precision();
        }
        if (from.kind() == TypeKind.NUMERIC && to.kind() == TypeKind.NUMERIC && to.precision() == 0) {
            return true;
        }
        return from.isArray() ? ArrayRules.holdsAs(from, to) : from.equals(to);
    }

    /** The type in which the two can be compared, or null if they cannot. */
    static @Nullable ColumnType common(ColumnType a, ColumnType b) {
        if (hasLength(a) && sameFamily(a, b)) {
            return new ColumnType(
                    a.kind() == b.kind() ? a.kind() : TypeKind.VARCHAR, Math.max(a.precision(), b.precision()), 0);
        }
        if (a.equals(b)) {
            return a;
        }
        if (ZonedConversion.meet(a, b)) {
            return ColumnType.of(TypeKind.TIMESTAMP_TZ);
        }
        if (isExact(a) && isExact(b)) {
            return commonExact(a, b);
        }
        if (isNumeric(a) && isNumeric(b) && !isApproximate(a) && !isApproximate(b)) {
            return NUMERIC;
        }
        if (isNumeric(a) && isNumeric(b)) {
            return DOUBLE;
        }
        return null;
    }

    private static ColumnType commonExact(ColumnType a, ColumnType b) {
        if (a.kind().isInteger() && b.kind().isInteger()) {
            return digits(a) >= digits(b) ? a : b;
        }
        ColumnType left = asDecimal(a);
        ColumnType right = asDecimal(b);
        int scale = Math.max(left.scale(), right.scale());
        int whole = Math.max(left.precision() - left.scale(), right.precision() - right.scale());
        return ColumnType.decimal(Math.min(whole + scale, ColumnType.MAX_DECIMAL_DIGITS), scale);
    }

    static boolean isExact(ColumnType type) {
        return type.kind().isInteger() || type.kind() == TypeKind.DECIMAL;
    }

    static boolean isApproximate(ColumnType type) {
        return type.kind() == TypeKind.REAL || type.kind() == TypeKind.DOUBLE;
    }

    static boolean isNumeric(ColumnType type) {
        return isExact(type) || isApproximate(type) || type.kind() == TypeKind.NUMERIC;
    }

    /** Digits that hold every value of the integer type. */
    private static int digits(ColumnType type) {
        return switch (type.kind()) {
            case TINYINT -> 3;
            case SMALLINT -> 5;
            case INTEGER -> 10;
            case BIGINT -> 19;
            case BOOLEAN,
                    DECIMAL,
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
                    NUMERIC -> type.precision();
        };
    }

    /** The decimal type that holds every value of an exact type. */
    static ColumnType asDecimal(ColumnType type) {
        return type.kind() == TypeKind.DECIMAL ? type : ColumnType.decimal(digits(type), 0);
    }

    /** Both operands of a comparison in one type; a literal goes to the other side's type where it is exact there. */
    static List<Expression> alike(Expression left, Expression right) {
        return alike(List.of(left, right));
    }

    /** All operands in one type. */
    static List<Expression> alike(List<Expression> written) {
        List<Expression> operands = comparable(
                dates(uuids(written.stream().map(Conversion::unwidened).toList())));
        ColumnType meeting = meetingType(operands);
        return meeting == null
                ? operands
                : operands.stream().map(operand -> cast(operand, meeting)).toList();
    }

    /** Where one is of a type that has its own rules, the others become of it, or are refused. */
    private static List<Expression> comparable(List<Expression> operands) {
        List<Expression> documents = JsonRules.comparable(operands);
        return ArrayRules.comparable(EnumRules.comparable(IntervalRules.comparable(documents)));
    }

    /**
     * Without a CAST to a wider exact type, which changes no comparison: so that a bare column meets a bare literal.
     */
    private static Expression unwidened(Expression operand) {
        if (!(operand instanceof Expression.Call call) || call.function() != ScalarFunction.CAST) {
            return operand;
        }
        Expression inner = call.arguments().getFirst();
        if (!isExact(call.type()) || !isExact(inner.type())) {
            return operand;
        }
        ColumnType wide = asDecimal(call.type());
        ColumnType narrow = asDecimal(inner.type());
        boolean holdsAll = wide.scale() >= narrow.scale()
                && wide.precision() - wide.scale() >= narrow.precision() - narrow.scale();
        return holdsAll ? unwidened(inner) : operand;
    }

    /** A UUID that is compared with text: the text becomes a UUID if it is one. */
    private static List<Expression> uuids(List<Expression> operands) {
        boolean areUuids = operands.stream().anyMatch(Conversion::isUuidAsText)
                && operands.stream()
                        .allMatch(operand -> isUuidAsText(operand)
                                || LiteralConversion.toUuid(operand).isPresent());
        if (!areUuids) {
            return operands;
        }
        return operands.stream()
                .map(operand -> operand instanceof Expression.Call call
                        ? call.arguments().getFirst()
                        : LiteralConversion.toUuid(operand).orElseThrow())
                .toList();
    }

    /** Dates that are compared as the timestamps at their beginning are compared as dates, which indexes know. */
    private static List<Expression> dates(List<Expression> operands) {
        boolean areDates = operands.stream().anyMatch(Conversion::isDateAsTimestamp)
                && operands.stream().allMatch(operand -> isDateAsTimestamp(operand) || isMidnight(operand));
        if (!areDates) {
            return operands;
        }
        return operands.stream()
                .map(operand -> operand instanceof Expression.Call call
                        ? call.arguments().getFirst()
                        : LiteralConversion.convert((Expression.Literal) operand, ColumnType.of(TypeKind.DATE))
                                .orElseThrow())
                .toList();
    }

    private static boolean isDateAsTimestamp(Expression operand) {
        return operand instanceof Expression.Call call
                && call.function() == ScalarFunction.CAST
                && call.type().kind() == TypeKind.TIMESTAMP
                && call.arguments().getFirst().type().kind() == TypeKind.DATE;
    }

    private static boolean isMidnight(Expression operand) {
        return operand instanceof Expression.Literal literal
                && literal.type().kind() == TypeKind.TIMESTAMP
                && literal.value() instanceof Long micros
                && micros % Interval.MICROS_PER_DAY == 0;
    }

    private static boolean isUuidAsText(Expression operand) {
        return operand instanceof Expression.Call call
                && call.function() == ScalarFunction.CAST
                && call.type().kind().isCharacter()
                && call.arguments().getFirst().type().kind() == TypeKind.UUID;
    }

    private static @Nullable ColumnType meetingType(List<Expression> operands) {
        ColumnType meeting = null;
        for (Expression operand : operands) {
            if (!(operand instanceof Expression.Literal)) {
                meeting = meeting == null ? operand.type() : common(meeting, operand.type());
                if (meeting == null) {
                    return null;
                }
            }
        }
        for (Expression operand : operands) {
            if (operand instanceof Expression.Literal literal && literal.value() != null) {
                if (meeting == null) {
                    meeting = literal.type();
                } else if (!fitsExactly(literal, meeting)) {
                    meeting = common(meeting, literal.type());
                    if (meeting == null) {
                        return null;
                    }
                }
            }
        }
        return meeting;
    }

    /** A literal next to a REAL is a REAL, or {@code r = 0.1} would never hold. */
    private static boolean fitsExactly(Expression.Literal literal, ColumnType type) {
        if (!isNumeric(type) || !isNumeric(literal.type())) {
            return false;
        }
        return type.equals(REAL) || type.equals(DOUBLE) || LiteralConversion.isExact(literal, type);
    }
}
