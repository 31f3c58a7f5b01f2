package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * How a statement reads texts of dates, times and intervals, and writes such texts.
 *
 * @param zone in which dates and times are
 * @param order of the numbers of a date that does not tell it
 */
public record StatementStyle(ZoneId zone, DateOrder order, IntervalStyle intervals) {
    /** The style of a statement that says nothing else. */
    public static final StatementStyle USUAL = ofZone(ZoneOffset.UTC);

    /** The usual style in a zone. */
    public static StatementStyle ofZone(ZoneId zone) {
        return new StatementStyle(zone, DateOrder.MDY, IntervalStyle.POSTGRES);
    }
}
