package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * How a statement reads texts of dates, times and intervals, and writes such texts, and what its plain names mean.
 *
 * @param zone in which dates and times are
 * @param order of the numbers of a date that does not tell it
 * @param path schemas in which plain names are looked for, one after another, by the catalog's names; none for PUBLIC
 */
public record StatementStyle(ZoneId zone, DateOrder order, IntervalStyle intervals, List<String> path) {
    /** The style of a statement that says nothing else. */
    public static final StatementStyle USUAL = ofZone(ZoneOffset.UTC);

    public StatementStyle {
        path = List.copyOf(path);
    }

    /** The style with plain names of PUBLIC. */
    public StatementStyle(ZoneId zone, DateOrder order, IntervalStyle intervals) {
        this(zone, order, intervals, List.of());
    }

    /** The usual style in a zone. */
    public static StatementStyle ofZone(ZoneId zone) {
        return new StatementStyle(zone, DateOrder.MDY, IntervalStyle.POSTGRES);
    }

    /** The same with other schemas for plain names. */
    public StatementStyle withPath(List<String> schemas) {
        return new StatementStyle(zone, order, intervals, schemas);
    }

    /** The usual style with the schemas of this one. */
    public StatementStyle ofNames() {
        return USUAL.withPath(path);
    }
}
