package dev.fulmar.launcher.shell;

import dev.fulmar.foundation.data.InfiniteTime;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Arguments of EXEC, as literals of SQL, with commas between. */
final class ExecArguments {
    private static final Pattern ARGUMENT = Pattern.compile(
            "\\s*(?:(?:(X|DATE|TIMESTAMP|TIME)\\s*)?'((?:[^']|'')*)'|([-+]?\\d+)|([-+]?\\d*\\.\\d+)"
                    + "|([-+]?\\d+(?:\\.\\d*)?E[-+]?\\d+)|(\\w+))\\s*(,|;?\\s*$)",
            Pattern.CASE_INSENSITIVE);

    private ExecArguments() {}

    static @Nullable Object[] parse(String text) {
        List<@Nullable Object> values = new ArrayList<>();
        Matcher matcher = ARGUMENT.matcher(text);
        int position = 0;
        String rest = text.strip();
        if (rest.isEmpty() || rest.equals(";")) {
            return new Object[0];
        }
        while (position < text.length()) {
            if (!matcher.find(position) || matcher.start() != position) {
                throw new FulmarException(
                        ErrorCode.SYNTAX,
                        "cannot read the arguments at: "
                                + text.substring(position).strip()
                                + "; write numbers, 'text', X'0aff', DATE '2024-02-29', TIMESTAMP '2024-02-29 12:30:00', TRUE, FALSE or NULL with commas between");
            }
            values.add(value(matcher));
            position = matcher.end();
        }
        return values.toArray();
    }

    private static @Nullable Object value(Matcher matcher) {
        if (matcher.group(2) != null) {
            return quoted(matcher.group(1), matcher.group(2).replace("''", "'"));
        }
        if (matcher.group(3) != null) {
            return Long.valueOf(matcher.group(3));
        }
        if (matcher.group(4) != null) {
            return new BigDecimal(matcher.group(4));
        }
        if (matcher.group(5) != null) {
            return Double.valueOf(matcher.group(5));
        }
        return switch (matcher.group(6).toUpperCase(Locale.ROOT)) {
            case "NULL" -> null;
            case "TRUE" -> Boolean.TRUE;
            case "FALSE" -> Boolean.FALSE;
            default ->
                throw new FulmarException(
                        ErrorCode.SYNTAX, "cannot read the argument " + matcher.group(6) + "; text stands in quotes");
        };
    }

    /** @param kind the word before the quotes, if there is one */
    private static Object quoted(@Nullable String kind, String text) {
        if (kind == null) {
            return text;
        }
        try {
            return switch (kind.toUpperCase(Locale.ROOT)) {
                case "X" -> HexFormat.of().parseHex(text);
                case "DATE" -> InfiniteTime.readDate(text.strip());
                case "TIME" -> LocalTime.parse(text.strip());
                default -> InfiniteTime.readTimestamp(text.strip());
            };
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "cannot read " + kind + " '" + text
                            + "'; write X'0aff', DATE '2024-02-29', TIME '12:30:00' or TIMESTAMP '2024-02-29 12:30:00.5'",
                    e);
        }
    }
}
