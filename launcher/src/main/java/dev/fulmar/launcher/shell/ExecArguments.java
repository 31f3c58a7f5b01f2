package dev.fulmar.launcher.shell;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Arguments of EXEC: integers, decimals, 'text', TRUE, FALSE and NULL, with commas between. */
final class ExecArguments {
    private static final Pattern ARGUMENT =
            Pattern.compile("\\s*(?:'((?:[^']|'')*)'|([-+]?\\d+)|([-+]?\\d*\\.\\d+)|(\\w+))\\s*(,|;?\\s*$)");

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
                                + "; write integers, decimals, 'text', TRUE, FALSE or NULL with commas between");
            }
            values.add(value(matcher));
            position = matcher.end();
        }
        return values.toArray();
    }

    private static @Nullable Object value(Matcher matcher) {
        if (matcher.group(1) != null) {
            return matcher.group(1).replace("''", "'");
        }
        if (matcher.group(2) != null) {
            return Long.valueOf(matcher.group(2));
        }
        if (matcher.group(3) != null) {
            return new BigDecimal(matcher.group(3));
        }
        return switch (matcher.group(4).toUpperCase(Locale.ROOT)) {
            case "NULL" -> null;
            case "TRUE" -> Boolean.TRUE;
            case "FALSE" -> Boolean.FALSE;
            default ->
                throw new FulmarException(
                        ErrorCode.SYNTAX, "cannot read the argument " + matcher.group(4) + "; text stands in quotes");
        };
    }
}
