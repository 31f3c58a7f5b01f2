package dev.fulmar.postgres.value;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.ValueFormat;
import dev.fulmar.wire.postgres.message.ValueFormats;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses texts of dates and intervals that another style than the usual one would read differently. Values that are
 * sent beside a statement are read in the usual style.
 */
public final class SentTexts {
    private static final int ISO_YEAR_DIGITS = 4;

    private SentTexts() {}

    /** Checks the parameters of a Bind, whose types are told by their OIDs. */
    public static void check(StatementStyle style, List<Integer> types, FrontendMessage.Bind bind) {
        if (isUsual(style)) {
            return;
        }
        byte[] @Nullable [] values = bind.values();
        ValueFormats formats = bind.parameterFormats().checkedFor(values.length, "parameters");
        for (int i = 0; i < Math.min(values.length, types.size()); i++) {
            byte[] value = values[i];
            PostgresType type = PostgresType.of(types.get(i)).orElse(PostgresType.UNKNOWN);
            PostgresType element = PostgresType.ofArray(types.get(i)).orElse(PostgresType.UNKNOWN);
            boolean isAmbiguous =
                    value != null && (isAmbiguous(style, type, value) || isAmbiguous(style, element, value));
            if (isAmbiguous && formats.at(i) == ValueFormat.TEXT) {
                throw refused("parameter $" + (i + 1));
            }
        }
    }

    /** Checks the columns into which a COPY writes. */
    public static void checkCopy(StatementStyle style, List<ColumnType> columns) {
        boolean hasDates = columns.stream()
                .anyMatch(column -> switch (column.isArray() ? column.element().kind() : column.kind()) {
                    case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ -> true;
                    default -> false;
                });
        boolean hasIntervals = columns.stream().anyMatch(column -> column.kind() == TypeKind.INTERVAL);
        if ((hasDates && style.order() != DateOrder.MDY)
                || (hasIntervals && style.intervals() == IntervalStyle.SQL_STANDARD)) {
            throw refused("a value of COPY");
        }
    }

    private static boolean isUsual(StatementStyle style) {
        return style.order() == DateOrder.MDY && style.intervals() != IntervalStyle.SQL_STANDARD;
    }

    private static boolean isAmbiguous(StatementStyle style, PostgresType type, byte[] value) {
        return switch (type) {
            case DATE, TIME, TIMESTAMP, TIMESTAMPTZ -> style.order() != DateOrder.MDY && !beginsWithYear(value);
            case INTERVAL -> style.intervals() == IntervalStyle.SQL_STANDARD && value.length > 0 && value[0] == '-';
            default -> false;
        };
    }

    private static boolean beginsWithYear(byte[] value) {
        for (int i = 0; i < ISO_YEAR_DIGITS; i++) {
            if (i >= value.length || value[i] < '0' || value[i] > '9') {
                return false;
            }
        }
        return true;
    }

    private static FulmarException refused(String what) {
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                what + " is read in the DateStyle MDY and the IntervalStyle postgres alone; begin dates with the year,"
                        + " or SET the usual style");
    }
}
