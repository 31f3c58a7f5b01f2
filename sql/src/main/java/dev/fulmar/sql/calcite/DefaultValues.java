package dev.fulmar.sql.calcite;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.execution.value.ArrayTexts;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.sql.text.StatementZone;
import java.math.BigDecimal;
import java.time.ZoneOffset;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Turns a column's default, which the catalog keeps in Fulmar's form, into Calcite's. */
final class DefaultValues {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;

    private final RexBuilder rexBuilder;

    DefaultValues(RexBuilder rexBuilder) {
        this.rexBuilder = rexBuilder;
    }

    /** @param place of the column in its table */
    RexNode rex(Column column, int place, RelDataType type) {
        if (column.drawsFrom().isPresent()) {
            RexNode sequence = rexBuilder.makeExactLiteral(
                    BigDecimal.valueOf(column.drawsFrom().getAsInt()));
            return rexBuilder.makeCast(type, rexBuilder.makeCall(DialectFunctions.NEXT_VALUE, sequence), true, false);
        }
        return column.defaultValue() instanceof Expression.Literal literal
                ? literal(literal, type)
                : rexBuilder.makeCast(type, RandomCalls.ofColumn(computed(column), place, rexBuilder), true, false);
    }

    /** A default that is no constant is planned from its text wherever it is used. */
    private static RexNode computed(Column column) {
        StatementZone.holdsKeptText();
        String query = "VALUES (CAST((" + column.defaultText() + ") AS " + column.type() + "))";
        RelNode rel = new QueryParser().parse(query, catalogOf(column.type())).root().rel;
        if (rel instanceof Project project) {
            return project.getProjects().getFirst();
        }
        throw Invariants.breach("a default that is computed is no constant: " + column.defaultText());
    }

    /** With the type, which the text names. */
    private static Catalog catalogOf(ColumnType type) {
        return type.kind() == TypeKind.ENUM ? Catalog.empty().withEnumeration(type.labels()) : Catalog.empty();
    }

    private RexNode literal(Expression.Literal literal, RelDataType type) {
        Object value = literal.value();
        if (value == null) {
            return rexBuilder.makeNullLiteral(type);
        }
        if (value instanceof Numeric number) {
            return rexBuilder.makeAbstractCast(type, rexBuilder.makeLiteral(number.toString()), false);
        }
        if (value instanceof Long number
                && InfiniteTime.is(number, literal.type().kind())) {
            return rexBuilder.makeAbstractCast(type, rexBuilder.makeLiteral(InfiniteTime.text(number)), false);
        }
        Object known = switch (value) {
            case Long code
            when literal.type().kind() == TypeKind.ENUM ->
                new NlsString(literal.type().labels().text(code), null, null);
            case Long number -> ofLong(number, literal.type());
            case String text -> new NlsString(text, null, null);
            case Interval interval -> new NlsString(interval.toString(), null, null);
            case byte[] bytes
            when literal.type().isArray() ->
                new NlsString(ArrayTexts.text(bytes, literal.type().element(), ZoneOffset.UTC), null, null);
            case byte[] bytes -> new ByteString(bytes);
            default -> value;
        };
        return rexBuilder.makeLiteral(known, type, true, true);
    }

    private static Object ofLong(long number, ColumnType type) {
        if (type.kind() == TypeKind.DATE) {
            return DateString.fromDaysSinceEpoch(Math.toIntExact(number));
        }
        if (type.kind() == TypeKind.TIME) {
            return TimeString.fromMillisOfDay(Math.toIntExact(number / MICROS_PER_SECOND) * 1_000)
                    .withNanos(Math.toIntExact(number % MICROS_PER_SECOND) * NANOS_PER_MICRO);
        }
        if (type.kind() == TypeKind.TIMESTAMP || type.kind() == TypeKind.TIMESTAMP_TZ) {
            return TimestampString.fromMillisSinceEpoch(Math.floorDiv(number, MICROS_PER_SECOND) * 1_000)
                    .withNanos(Math.toIntExact(Math.floorMod(number, MICROS_PER_SECOND)) * NANOS_PER_MICRO);
        }
        return BigDecimal.valueOf(number);
    }
}
