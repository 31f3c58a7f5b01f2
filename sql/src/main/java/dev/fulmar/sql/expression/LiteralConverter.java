package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.json.JsonText;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.IntervalShape;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.calcite.TypeMapping;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Converts Calcite's literals to Fulmar's. */
final class LiteralConverter {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private LiteralConverter() {}

    static Expression.Literal convert(RexLiteral literal) {
        if (literal.getType().getSqlTypeName().getFamily() == SqlTypeFamily.INTERVAL_DAY_TIME
                || literal.getType().getSqlTypeName().getFamily() == SqlTypeFamily.INTERVAL_YEAR_MONTH) {
            throw SqlErrors.notSupported("INTERVAL is not supported; compute dates and times in the procedure");
        }
        ColumnType type = TypeMapping.columnType(literal.getType());
        if (literal.isNull()) {
            return new Expression.Literal(type, null);
        }
        return switch (type.kind()) {
            case BOOLEAN -> new Expression.Literal(type, RexLiteral.booleanValue(literal));
            case TINYINT, SMALLINT, INTEGER, BIGINT ->
                new Expression.Literal(
                        type, number(literal).setScale(0, RoundingMode.HALF_UP).longValueExact());
            case DECIMAL -> new Expression.Literal(type, number(literal).setScale(type.scale(), RoundingMode.HALF_UP));
            case REAL -> new Expression.Literal(type, (double) finite(number(literal)));
            case DOUBLE -> new Expression.Literal(type, number(literal).doubleValue());
            case CHAR -> new Expression.Literal(type, PaddedText.withoutBlanks(value(literal, String.class)));
            case VARCHAR -> new Expression.Literal(type, value(literal, String.class));
            case VARBINARY ->
                new Expression.Literal(type, value(literal, ByteString.class).getBytes());
            case DATE ->
                new Expression.Literal(
                        type, (long) value(literal, DateString.class).getDaysSinceEpoch());
            case TIME ->
                new Expression.Literal(
                        type,
                        LocalTime.parse(value(literal, TimeString.class).toString())
                                        .toNanoOfDay()
                                / NANOS_PER_MICRO);
            case TIMESTAMP, TIMESTAMP_TZ ->
                new Expression.Literal(
                        type, timestamp(value(literal, TimestampString.class).toString()));
            case UUID -> new Expression.Literal(type, value(literal, UUID.class));
            case ARRAY ->
                new Expression.Literal(
                        type, ArrayTexts.parse(value(literal, String.class), type, StatementZone.current()));
            case JSON, JSONB -> new Expression.Literal(type, JsonText.of(value(literal, String.class), type));
            case INTERVAL -> new Expression.Literal(type, IntervalShape.of(type).parse(value(literal, String.class)));
            case NUMERIC ->
                new Expression.Literal(type, Numeric.of(number(literal)).fitted(type));
            case ENUM -> new Expression.Literal(type, type.labels().code(value(literal, String.class)));
        };
    }

    private static BigDecimal number(RexLiteral literal) {
        return value(literal, BigDecimal.class);
    }

    private static float finite(BigDecimal number) {
        float real = number.floatValue();
        if (!Float.isFinite(real)) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE, number + " does not fit in REAL; use DOUBLE or another value");
        }
        return real;
    }

    private static <T> T value(RexLiteral literal, Class<T> wanted) {
        T value = literal.getValueAs(wanted);
        if (value == null) {
            throw Invariants.breach("literal " + literal + " has a value");
        }
        return value;
    }

    private static long timestamp(String text) {
        LocalDateTime time = text.length() == 10
                ? LocalDate.parse(text).atStartOfDay()
                : LocalDateTime.parse(text.replace(' ', 'T'));
        return Math.addExact(
                Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
                time.getNano() / NANOS_PER_MICRO);
    }
}
