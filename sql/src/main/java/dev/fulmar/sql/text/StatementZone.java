package dev.fulmar.sql.text;

import dev.fulmar.engine.spi.StatementStyle;
import dev.fulmar.engine.spi.ZoneMark;
import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.WrittenDatetime;
import dev.fulmar.foundation.error.FulmarException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** The time zone and style in which the statement that is being planned reads and shows dates, times and intervals. */
public final class StatementZone {
    private static final ScopedValue<Reading> READING = ScopedValue.newInstance();

    /** How a statement is read. Of one thread. */
    private static final class Reading {
        final StatementStyle style;
        boolean hasKeptText;

        Reading(StatementStyle style) {
            this.style = style;
        }
    }

    private StatementZone() {}

    private static StatementStyle style() {
        return READING.isBound() ? READING.get().style : StatementStyle.USUAL;
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

    /** The statement has, or makes, a text that is kept: a view, a default, a condition. Others read it too. */
    public static void holdsKeptText() {
        if (READING.isBound()) {
            READING.get().hasKeptText = true;
        }
    }

    /**
     * Refuses a text of a date beside a text that is kept, if it is another date in the usual order. Kept texts mean
     * the same to all sessions.
     */
    public static void checkDate(String text) {
        if (isUnusual()
                && dateOrder() != DateOrder.MDY
                && !date(text, DateOrder.MDY).equals(date(text, dateOrder()))) {
            throw keptOtherwise(text);
        }
    }

    /** The same of a text of an interval, by how it is read in a style. */
    public static void checkInterval(String text, Function<IntervalStyle, Object> read) {
        if (isUnusual()
                && intervalStyle() != IntervalStyle.POSTGRES
                && !read.apply(IntervalStyle.POSTGRES).equals(read.apply(intervalStyle()))) {
            throw keptOtherwise(text);
        }
    }

    private static boolean isUnusual() {
        return READING.isBound() && READING.get().hasKeptText;
    }

    private static Optional<WrittenDatetime> date(String text, DateOrder order) {
        try {
            return Optional.of(WrittenDatetime.parse(text, order));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static FulmarException keptOtherwise(String text) {
        return SqlErrors.notSupported(
                "'" + text + "' means something else in the usual DateStyle and IntervalStyle, which"
                        + " count in views, defaults, conditions and arguments of procedures; begin dates with the year");
    }

    /** Plans a statement in the style that its text ends with. */
    public static <T> T planning(String sql, Supplier<T> work) {
        return ScopedValue.where(READING, new Reading(ZoneMark.style(sql))).call(work::get);
    }
}
