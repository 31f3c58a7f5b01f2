package dev.fulmar.sql;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.sql.text.SqlErrors;
import dev.fulmar.sql.text.Token;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Adds a position to errors of the planner, which has lost the positions of words. It is that of the function or clause
 * which the message names in upper case, if the statement has it, or else that of the statement. Invariant: every error
 * in the text of a statement is said with a position.
 */
final class PlacedErrors {
    private static final Set<ErrorCode> OF_THE_TEXT = EnumSet.of(
            ErrorCode.SYNTAX,
            ErrorCode.NOT_SUPPORTED,
            ErrorCode.TYPE_MISMATCH,
            ErrorCode.UNKNOWN_OBJECT,
            ErrorCode.INVALID_TEXT,
            ErrorCode.VALUE_OUT_OF_RANGE,
            ErrorCode.DATETIME_OUT_OF_RANGE,
            ErrorCode.NOT_NULL_VIOLATION);

    private static final Pattern PLACE = Pattern.compile("(?:^|: )\\d+:\\d+: ");
    private static final Pattern NAMED = Pattern.compile("\\b[A-Z][A-Z_0-9]+\\b");

    private PlacedErrors() {}

    static FulmarException placed(FulmarException error, List<Token> tokens) {
        String message = String.valueOf(error.getMessage());
        if (!OF_THE_TEXT.contains(error.code()) || PLACE.matcher(message).find()) {
            return error;
        }
        Token place = tokens.getFirst();
        Matcher names = NAMED.matcher(message);
        boolean isFound = false;
        while (!isFound && names.find()) {
            String name = names.group().toUpperCase(Locale.ROOT);
            for (Token token : tokens) {
                if (!isFound && token.isWord(name)) {
                    place = token;
                    isFound = true;
                }
            }
        }
        FulmarException placed = SqlErrors.at(error.code(), place.position(), message);
        placed.initCause(error);
        return placed;
    }
}
