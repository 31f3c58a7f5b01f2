package dev.fulmar.engine.json;

import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/** Texts as values of the types JSON and JSONB. */
public final class JsonText {
    /** Characters of a document, as of a VARCHAR. */
    public static final int MOST_CHARACTERS = 1 << 20;

    private JsonText() {}

    /** The value of the type, one of the two, whose text it is. */
    public static String of(String text, ColumnType type) {
        return type.kind() == TypeKind.JSON ? checked(text) : canonical(text);
    }

    private static String checked(String text) {
        checkLength(text);
        JsonReader.check(text);
        return text;
    }

    /** The canonical text of a document. */
    public static String canonical(String text) {
        checkLength(text);
        return fitting(JsonWriter.text(JsonReader.value(text)));
    }

    /** The canonical text of a document that was read or made. */
    static String canonical(JsonValue value) {
        return fitting(JsonWriter.text(value));
    }

    /** The text itself, unless it is longer than a document may be. */
    public static String fitting(String text) {
        checkLength(text);
        return text;
    }

    private static void checkLength(String text) {
        if (text.length() > MOST_CHARACTERS && text.codePointCount(0, text.length()) > MOST_CHARACTERS) {
            throw tooLong();
        }
    }

    /** Fails for what is too long already, before it takes more memory. A character takes two units at most. */
    static void checkWritten(int units) {
        if (units > 2 * MOST_CHARACTERS) {
            throw tooLong();
        }
    }

    private static FulmarException tooLong() {
        return new FulmarException(
                ErrorCode.STRING_TOO_LONG,
                "a document of JSON has at most " + MOST_CHARACTERS + " characters; keep parts in rows of their own");
    }
}
