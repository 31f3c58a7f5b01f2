package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The comment at the end of a statement's text that names its time zone, and behind semicolons the other parts of its
 * style. So these are a part of the text, by which plans are found, statements are logged and other nodes plan. Earlier
 * versions take the whole for a name of a zone, and refuse the statement rather than read it in another style.
 */
public final class ZoneMark {
    private static final Pattern MARK =
            Pattern.compile("/\\*\\s*TIME\\s+ZONE\\s+(\\S+)\\s*\\*/[\\s;]*", Pattern.CASE_INSENSITIVE);
    private static final String SEPARATOR = ";";

    private ZoneMark() {}

    /** The statement with the zone; UTC needs no mark. */
    public static String added(String sql, ZoneId zone) {
        return added(sql, StatementStyle.ofZone(zone));
    }

    /** The statement with the style; the usual one needs no mark. */
    public static String added(String sql, StatementStyle style) {
        if (style.equals(StatementStyle.USUAL)) {
            return sql;
        }
        StringBuilder mark = new StringBuilder(sql).append(" /* TIME ZONE ").append(ZonedTime.name(style.zone()));
        if (style.order() != DateOrder.MDY) {
            mark.append(SEPARATOR).append(style.order());
        }
        if (style.intervals() != IntervalStyle.POSTGRES) {
            mark.append(SEPARATOR).append(style.intervals());
        }
        return mark.append(" */").toString();
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
        return style(sql).zone();
    }

    /** The style of the statement. */
    public static StatementStyle style(String sql) {
        int begin = sql.lastIndexOf("/*");
        if (begin < 0) {
            return StatementStyle.USUAL;
        }
        Matcher mark = mark(sql, begin);
        if (!mark.matches()) {
            return StatementStyle.USUAL;
        }
        String[] parts = mark.group(1).toUpperCase(Locale.ROOT).split(SEPARATOR, -1);
        DateOrder order = DateOrder.MDY;
        IntervalStyle intervals = IntervalStyle.POSTGRES;
        for (int i = 1; i < parts.length; i++) {
            DateOrder knownOrder = known(DateOrder.values(), parts[i]);
            IntervalStyle knownIntervals = known(IntervalStyle.values(), parts[i]);
            order = knownOrder == null ? order : knownOrder;
            intervals = knownIntervals == null ? intervals : knownIntervals;
            if (knownOrder == null && knownIntervals == null) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "the style '" + parts[i] + "' of a statement is not known here");
            }
        }
        return new StatementStyle(zone(mark.group(1).split(SEPARATOR, -1)[0]), order, intervals);
    }

    private static <T extends Enum<T>> @Nullable T known(T[] values, String name) {
        for (T value : values) {
            if (value.name().equals(name)) {
                return value;
            }
        }
        return null;
    }

    private static ZoneId zone(String name) {
        return ZonedTime.zone(name)
                .orElseThrow(() -> new FulmarException(
                        ErrorCode.INVALID_TEXT,
                        "there is no time zone '" + name + "'; write its name, as UTC or Europe/Oslo"));
    }

    private static Matcher mark(String sql, int begin) {
        return MARK.matcher(sql).region(begin, sql.length());
    }
}
