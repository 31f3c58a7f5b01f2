package dev.fulmar.sql.text;

import dev.fulmar.engine.spi.ZoneMark;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;

/** The time zone in which the statement that is being planned reads and shows dates and times. */
public final class StatementZone {
    private static final ScopedValue<ZoneId> ZONE = ScopedValue.newInstance();

    private StatementZone() {}

    /** UTC unless the statement says otherwise. */
    public static ZoneId current() {
        return ZONE.isBound() ? ZONE.get() : ZoneOffset.UTC;
    }

    /** Plans a statement in the zone that its text ends with. */
    public static <T> T planning(String sql, Supplier<T> work) {
        return ScopedValue.where(ZONE, ZoneMark.of(sql)).call(work::get);
    }
}
