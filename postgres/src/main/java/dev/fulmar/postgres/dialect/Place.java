package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a text, which errors begin with: {@code line:column: }, both from 1.
 *
 * @param offset characters before it
 */
record Place(int offset) {
    private static final Pattern PLACE = Pattern.compile("^(\\d{1,9}):(\\d{1,9}): ");

    /** An error at a place in the text. */
    static FulmarException error(ErrorCode code, String text, int offset, String message) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < Math.min(offset, text.length()); i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new FulmarException(code, line + ":" + (offset - lineStart + 1) + ": " + message);
    }

    /**
     * A message and the place that it began with.
     *
     * @param offset characters before the place; negative for none
     */
    record Message(String text, int offset) {}

    /** The message of an error in a text, without the place. */
    static Message message(String error, String text) {
        Matcher place = PLACE.matcher(error);
        if (!place.find()) {
            return new Message(error, -1);
        }
        int offset = 0;
        for (int line = Integer.parseInt(place.group(1)); line > 1 && offset >= 0; line--) {
            offset = text.indexOf('\n', offset) + 1;
            offset = offset == 0 ? text.length() : offset;
        }
        offset = Math.min(text.length(), offset + Integer.parseInt(place.group(2)) - 1);
        return new Message(error.substring(place.end()), offset);
    }
}
