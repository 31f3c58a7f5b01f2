package dev.fulmar.sql.expression;

import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.WrittenDatetime;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.StatementZone;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts that name a time by the transaction's: {@code now}, {@code today}, {@code tomorrow} and {@code yesterday}. */
final class NamedMoments {
    private static final ColumnType DATE = ColumnType.of(TypeKind.DATE);
    private static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);
    private static final ColumnType INSTANT = ColumnType.of(TypeKind.TIMESTAMP_TZ);
    private static final List<String> NAMES = List.of("now", "today", "tomorrow", "yesterday");

    private NamedMoments() {}

    /** The literal of a text as a value of the type that the transaction's time tells; null if it is none. */
    static @Nullable Expression of(Expression expression, ColumnType type) {
        boolean isMoment = type.kind() == TypeKind.DATE
                || type.kind() == TypeKind.TIME
                || type.kind() == TypeKind.TIMESTAMP
                || type.kind() == TypeKind.TIMESTAMP_TZ;
        if (!isMoment
                || !(expression instanceof Expression.Literal literal)
                || !(literal.value() instanceof String text)
                || !mentionsName(text)) {
            return null;
        }
        WrittenDatetime written = written(text, type.kind() == TypeKind.TIME);
        return written == null ? null : value(written, type);
    }

    private static boolean mentionsName(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return NAMES.stream().anyMatch(lower::contains);
    }

    private static @Nullable WrittenDatetime written(String text, boolean isTime) {
        try {
            DateOrder order = StatementZone.dateOrder();
            return isTime ? WrittenDatetime.parseTime(text, order) : WrittenDatetime.parse(text, order);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static @Nullable Expression value(WrittenDatetime written, ColumnType type) {
        Expression now = new Expression.Call(ScalarFunction.CURRENT_TIMESTAMP, List.of(), INSTANT, false);
        return switch (written.form()) {
            case NOW -> type.kind() == TypeKind.TIMESTAMP_TZ ? now : Conversion.cast(ZonedConversion.local(now), type);
            case FROM_TODAY -> day(Conversion.cast(ZonedConversion.local(now), DATE), written, type);
            case DATE, EPOCH, INFINITY, NEGATIVE_INFINITY -> null;
        };
    }

    /** A day that is counted from today, at the time in the text, and in its zone. */
    private static @Nullable Expression day(Expression today, WrittenDatetime written, ColumnType type) {
        Expression day = later(today, DATE, written.days());
        if (type.kind() == TypeKind.DATE) {
            return day;
        }
        if (type.kind() == TypeKind.TIME) {
            return null;
        }
        Expression moment = later(Conversion.cast(day, TIMESTAMP), TIMESTAMP, written.timeMicros());
        ZoneId zone = written.zone();
        if (type.kind() == TypeKind.TIMESTAMP || zone == null) {
            return Conversion.cast(moment, type);
        }
        String name = ZonedTime.name(zone);
        return ZonedConversion.inZone(moment, new Expression.Literal(ColumnType.varchar(name.length()), name), false);
    }

    private static Expression later(Expression moment, ColumnType type, long units) {
        return units == 0
                ? moment
                : Expressions.strict(
                        ScalarFunction.PLUS, type, moment, new Expression.Literal(Expressions.BIGINT, units));
    }

    /** Refuses the text of an array of dates in an order that arrays do not know. */
    static void checkOrderOfArray(ColumnType array) {
        boolean isOfDates = switch (array.element().kind()) {
            case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> true;
            default -> false;
        };
        if (isOfDates && StatementZone.dateOrder() != DateOrder.MDY) {
            throw SqlErrors.notSupported("the text of an array of dates is read in the DateStyle MDY alone; write"
                    + " ARRAY[date '2024-02-29']");
        }
    }

    /** Refuses to read a text that is computed in an order of the session: the engine's CAST knows one order alone. */
    static void checkOrder(Expression expression) {
        boolean isText = expression.type().kind().isCharacter() && !(expression instanceof Expression.Literal);
        if (isText && StatementZone.dateOrder() != DateOrder.MDY) {
            throw SqlErrors.notSupported(
                    "a text that is computed is cast to a date in the DateStyle MDY alone; SET DateStyle TO 'ISO, MDY',"
                            + " or use TO_DATE with a template");
        }
    }
}
