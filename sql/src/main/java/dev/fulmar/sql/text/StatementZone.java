package dev.fulmar.sql.text;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import java.time.ZoneId;
import java.util.function.Supplier;

/** The time zone and style in which the statement that is being planned reads and shows dates, times and intervals. */
public final class StatementZone {
    private static final ScopedValue<StatementStyle> STYLE = ScopedValue.newInstance();

    private StatementZone() {}

    private static StatementStyle style() {
        return STYLE.isBound() ? STYLE.get() : StatementStyle.USUAL;
    }

    /** UTC unless the statement says otherwise. */
    public static ZoneId current() {
        return style().zone();
    }

    /** The order of the numbers of a date that does not tell it. */
    public static DateOrder dateOrder() {
        return style().order();
    }

    /** The style of texts of intervals. */
    public static IntervalStyle intervalStyle() {
        return style().intervals();
    }

    /** Plans a statement in the style that its text ends with. */
    public static <T> T planning(String sql, Supplier<T> work) {
        return ScopedValue.where(STYLE, ZoneMark.style(sql)).call(work::get);
    }
}
