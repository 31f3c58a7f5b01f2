package dev.fulmar.sql.ddl;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads {@code WITH (security_barrier, security_invoker = false)} of a view. They change nothing: a reader of a view
 * needs the rights of its query, and no condition of a user comes before that of a view.
 */
final class ViewOptions {
    private static final Set<String> NAMES = Set.of("SECURITY_BARRIER", "SECURITY_INVOKER");
    private static final Set<String> VALUES = Set.of("TRUE", "FALSE", "ON", "OFF", "YES", "NO", "1", "0");

    private ViewOptions() {}

    /** The options as the catalog shows them; none if no WITH comes. */
    static List<String> parse(TokenReader reader) {
        List<String> options = new ArrayList<>();
        if (!reader.accept("WITH")) {
            return options;
        }
        reader.expectSymbol("(");
        do {
            options.add(option(reader));
        } while (reader.acceptSymbol(","));
        reader.expectSymbol(")");
        return options;
    }

    private static String option(TokenReader reader) {
        Token first = reader.peek();
        String name = reader.name("an option of a view");
        if (!NAMES.contains(name)) {
            boolean isKnown = name.equals("CHECK_OPTION");
            throw SqlErrors.at(
                    isKnown ? ErrorCode.NOT_SUPPORTED : ErrorCode.INVALID_ARGUMENT,
                    first.position(),
                    "a view has the options security_barrier and security_invoker, not " + first.text());
        }
        if (!reader.acceptSymbol("=")) {
            return name.toLowerCase(Locale.ROOT) + "=true";
        }
        Token value = reader.take();
        String text = value.text().toUpperCase(Locale.ROOT);
        if (!VALUES.contains(text)) {
            throw SqlErrors.at(
                    ErrorCode.INVALID_ARGUMENT,
                    value.position(),
                    "the option takes TRUE and FALSE, not " + value.text());
        }
        return name.toLowerCase(Locale.ROOT) + "=" + text.toLowerCase(Locale.ROOT);
    }
}
