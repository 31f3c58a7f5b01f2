package dev.fulmar.sql.expression;

import dev.fulmar.engine.execution.value.Temporals;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.StatementZone;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CASTs between TIMESTAMP WITH TIME ZONE and other types, in the time zone of the statement. The zone becomes a part of
 * the plan, so that an execution anywhere and at any later time does the same.
 */
final class ZonedConversion {
    private static final ColumnType INSTANT = ColumnType.of(TypeKind.TIMESTAMP_TZ);
    private static final ColumnType TIMESTAMP = ColumnType.of(TypeKind.TIMESTAMP);

    /** Holds the text of every instant. */
    private static final ColumnType TEXT = ColumnType.varchar(64);

    private ZonedConversion() {}

    /** Whether one of the types, and not the other, is an instant. */
    static boolean concerns(ColumnType from, ColumnType to) {
        return (from.kind() == TypeKind.TIMESTAMP_TZ) != (to.kind() == TypeKind.TIMESTAMP_TZ);
    }

    /** Whether the types are compared as instants. */
    static boolean meet(ColumnType a, ColumnType b) {
        return concerns(a, b) && isTimestampOrDate(a) && isTimestampOrDate(b);
    }

    private static boolean isTimestampOrDate(ColumnType type) {
        return type.kind() == TypeKind.TIMESTAMP_TZ
                || type.kind() == TypeKind.TIMESTAMP
                || type.kind() == TypeKind.DATE;
    }

    static Expression cast(Expression expression, ColumnType type) {
        if (expression instanceof Expression.Literal literal && literal.value() == null) {
            return new Expression.Literal(type, null);
        }
        return type.kind() == TypeKind.TIMESTAMP_TZ ? instant(expression) : ofInstant(expression, type);
    }

    private static Expression instant(Expression expression) {
        if (isNow(expression)) {
            return new Expression.Call(ScalarFunction.CURRENT_TIMESTAMP, List.of(), INSTANT, false);
        }
        ColumnType from = expression.type();
        if (from.kind() == TypeKind.DATE) {
            return instant(Conversion.cast(expression, TIMESTAMP));
        }
        Expression named = NamedMoments.of(expression, INSTANT);
        if (named != null) {
            return named;
        }
        Expression.Literal literal = literal(expression, StatementZone.current());
        if (literal != null) {
            return literal;
        }
        NamedMoments.checkOrder(expression);
        return from.kind() == TypeKind.TIMESTAMP || from.kind().isCharacter()
                ? inZone(expression, INSTANT)
                : new Expression.Call(ScalarFunction.CAST, List.of(expression), INSTANT, expression.nullable());
    }

    /** The transaction's time, which as a TIMESTAMP is in UTC whatever the zone of the statement. */
    private static boolean isNow(Expression expression) {
        return expression instanceof Expression.Call call && call.function() == ScalarFunction.CURRENT_TIMESTAMP;
    }

    /** The instant of a literal; null if it is known only when the statement runs, as an error. */
    private static Expression.@Nullable Literal literal(Expression expression, ZoneId zone) {
        if (!(expression instanceof Expression.Literal literal)) {
            return null;
        }
        try {
            return switch (literal.value()) {
                case Long micros
                when literal.type().kind() == TypeKind.TIMESTAMP -> literal(ZonedTime.instant(micros, zone));
                case String text -> ofText(text, zone);
                case null, default -> null;
            };
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** The engine's CAST reads months first, so a text that is none in another order fails now. */
    private static Expression.@Nullable Literal ofText(String text, ZoneId zone) {
        DateOrder order = StatementZone.dateOrder();
        StatementZone.checkDate(text);
        try {
            return literal(Temporals.parseTimestampTz(text, zone, order));
        } catch (FulmarException e) {
            if (order != DateOrder.MDY) {
                throw e;
            }
            return null;
        }
    }

    private static Expression.@Nullable Literal literal(long micros) {
        return Temporals.isValue(micros, TypeKind.TIMESTAMP_TZ) ? new Expression.Literal(INSTANT, micros) : null;
    }

    private static Expression ofInstant(Expression expression, ColumnType type) {
        if (type.kind() == TypeKind.TIMESTAMP || type.kind() == TypeKind.DATE || type.kind() == TypeKind.TIME) {
            return Conversion.cast(local(expression), type);
        }
        return type.kind().isCharacter()
                ? Conversion.cast(inZone(expression, TEXT), type)
                : new Expression.Call(ScalarFunction.CAST, List.of(expression), type, expression.nullable());
    }

    /** The instant as a TIMESTAMP in the statement's zone; any other expression as it is. */
    static Expression local(Expression expression) {
        if (expression.type().kind() != TypeKind.TIMESTAMP_TZ) {
            return expression;
        }
        if (isNow(expression) && StatementZone.current().equals(ZoneOffset.UTC)) {
            return new Expression.Call(ScalarFunction.CURRENT_TIMESTAMP, List.of(), TIMESTAMP, false);
        }
        return expression instanceof Expression.Literal literal && literal.value() instanceof Long micros
                ? new Expression.Literal(TIMESTAMP, ZonedTime.local(micros, StatementZone.current()))
                : inZone(expression, TIMESTAMP);
    }

    /** The value AT TIME ZONE zone: a timestamp there as an instant, or an instant as the timestamp there. */
    static Expression inZone(Expression value, Expression zone, boolean nullable) {
        boolean isTimestamp = value.type().kind() == TypeKind.TIMESTAMP;
        Expression moment = isTimestamp ? value : Conversion.cast(value, INSTANT);
        return new Expression.Call(
                ScalarFunction.AT_ZONE, List.of(moment, zone), isTimestamp ? INSTANT : TIMESTAMP, nullable);
    }

    private static Expression inZone(Expression expression, ColumnType type) {
        String name = ZonedTime.name(StatementZone.current());
        return new Expression.Call(
                ScalarFunction.AT_ZONE,
                List.of(expression, new Expression.Literal(ColumnType.varchar(name.length()), name)),
                type,
                expression.nullable());
    }
}
