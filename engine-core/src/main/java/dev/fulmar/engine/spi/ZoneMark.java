package dev.fulmar.engine.spi;

import dev.fulmar.foundation.data.DateOrder;
import dev.fulmar.foundation.data.IntervalStyle;
import dev.fulmar.foundation.data.ZonedTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    private static final String PATH = "PATH=";
    private static final String PATH_SEPARATOR = ",";
    private static final String HEXADECIMAL = "%";
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_]+");

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
        if (!style.path().isEmpty()) {
            mark.append(SEPARATOR).append(PATH).append(written(style.path()));
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
        String[] parts = mark.group(1).split(SEPARATOR, -1);
        StatementStyle style = StatementStyle.ofZone(zone(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            style = with(parts[i], style);
        }
        return style;
    }

    private static StatementStyle with(String part, StatementStyle style) {
        if (part.startsWith(PATH)) {
            return style.withPath(path(part.substring(PATH.length())));
        }
        DateOrder order = known(DateOrder.values(), part.toUpperCase(Locale.ROOT));
        IntervalStyle intervals = known(IntervalStyle.values(), part.toUpperCase(Locale.ROOT));
        if (order == null && intervals == null) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "the style '" + part + "' of a statement is not known here");
        }
        return new StatementStyle(
                style.zone(),
                order == null ? style.order() : order,
                intervals == null ? style.intervals() : intervals,
                style.path());
    }

    /** Names of schemas, in hexadecimal digits behind a sign if they have others than letters and digits. */
    private static String written(List<String> path) {
        return path.stream()
                .map(schema -> PLAIN.matcher(schema).matches()
                        ? schema
                        : HEXADECIMAL + HexFormat.of().formatHex(schema.getBytes(StandardCharsets.UTF_8)))
                .collect(Collectors.joining(PATH_SEPARATOR));
    }

    private static List<String> path(String written) {
        try {
            return Stream.of(written.split(PATH_SEPARATOR, -1))
                    .map(schema -> schema.startsWith(HEXADECIMAL)
                            ? new String(
                                    HexFormat.of().parseHex(schema.substring(HEXADECIMAL.length())),
                                    StandardCharsets.UTF_8)
                            : schema)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new FulmarException(
                    ErrorCode.SYNTAX, "'" + written + "' is no list of schemas; leave the comment out", e);
        }
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
