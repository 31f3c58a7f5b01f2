package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The comment at the end of a statement's text that names its time zone. So the zone is a part of the text, by which
 * plans are found, statements are logged and other nodes plan.
 */
public final class ZoneMark {
    private static final Pattern MARK =
            Pattern.compile("/\\*\\s*TIME\\s+ZONE\\s+(\\S+)\\s*\\*/[\\s;]*", Pattern.CASE_INSENSITIVE);

    private ZoneMark() {}

    /** The statement with the zone; UTC needs no mark. */
    public static String added(String sql, ZoneId zone) {
        return zone.equals(ZoneOffset.UTC) ? sql : sql + " /* TIME ZONE " + ZonedTime.name(zone) + " */";
    }

    /** The statement without its zone. */
    public static String removed(String sql) {
        int begin = sql.lastIndexOf("/*");
        return begin >= 0 && mark(sql, begin).matches()
                ? sql.substring(0, begin).stripTrailing() // else each mark that is added anew would make it longer
                : sql;
    }

    /** The zone of the statement, behind which semicolons and blanks may stand. */
    public static ZoneId of(String sql) {
        int begin = sql.lastIndexOf("/*");
        if (begin < 0) {
            return ZoneOffset.UTC;
        }
        Matcher mark = mark(sql, begin);
        if (!mark.matches()) {
            return ZoneOffset.UTC;
        }
        String name = mark.group(1);
        return ZonedTime.zone(name)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "there is no time zone '" + name + "'; write its name, as UTC or Europe/Oslo"));
    }

    private static Matcher mark(String sql, int begin) {
        return MARK.matcher(sql).region(begin, sql.length());
    }
}
