package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * The comment at the end of a statement's text that names its time zone. So the zone is a part of the text, by which
 * plans are found, statements are logged and other nodes plan.
 */
public final class ZoneMark {
    private static final String BEGIN = " /* TIME ZONE ";
    private static final String END = " */";

    private ZoneMark() {}

    /** The statement with the zone; UTC needs no mark. */
    public static String added(String sql, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? sql : sql + BEGIN + ZonedTime.name(zone) + END;
    }

    /** The statement without its zone. */
    public static String removed(String sql) {
        int begin = begin(sql);
        return begin < 0 ? sql : sql.substring(0, begin);
    }

    private static int begin(String sql) {
        return sql.endsWith(END) ? sql.lastIndexOf(BEGIN) : -1;
    }

    /** The zone of the statement. */
    public static ZoneId of(String sql) {
        int begin = begin(sql);
        if (begin < 0) {
            return ZoneOffset.UTC;
        }
        String name = sql.substring(begin + BEGIN.length(), sql.length() - END.length());
        return ZonedTime.zone(name)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "there is no time zone '" + name + "'; write its name, as UTC or Europe/Oslo"));
    }
}
