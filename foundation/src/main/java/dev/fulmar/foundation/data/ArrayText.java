package dev.fulmar.foundation.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Arrays of one dimension as PostgreSQL writes them: {@code {1,NULL,"a b"}}. */
public final class ArrayText {
    private static final String BLANKS = " \t\n\r\u000B\f";
    private static final int SHOWN_CHARACTERS = 100;

    private ArrayText() {}

    /** Appends the texts of the elements, with quotes where they need them. */
    public static String of(List<? extends @Nullable String> elements) {
        StringBuilder text = new StringBuilder("{");
        for (String element : elements) {
            if (text.length() > 1) {
                text.append(',');
            }
            append(text, element);
        }
        return text.append('}').toString();
    }

    private static void append(StringBuilder text, @Nullable String element) {
        if (element == null) {
            text.append("NULL");
        } else if (needsQuotes(element)) {
            text.append('"');
            for (int i = 0; i < element.length(); i++) {
                char character = element.charAt(i);
                if (character == '"' || character == '\\') {
                    text.append('\\');
                }
                text.append(character);
            }
            text.append('"');
        } else {
            text.append(element);
        }
    }

    private static boolean needsQuotes(String element) {
        if (element.isEmpty() || element.equalsIgnoreCase("NULL")) {
            return true;
        }
        for (int i = 0; i < element.length(); i++) {
            if ("\"\\{},".indexOf(element.charAt(i)) >= 0 || isBlank(element.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBlank(char character) {
        return BLANKS.indexOf(character) >= 0;
    }

    /** The texts of the elements, where null stands for NULL. */
    public static List<@Nullable String> elements(String text) {
        return new Elements(text).read();
    }

    /** Reader of the text of one array. */
    private static final class Elements {
        private final String text;
        private final StringBuilder value = new StringBuilder();
        private int position;

        private Elements(String text) {
            this.text = text;
        }

        private List<@Nullable String> read() {
            skipBlanks();
            if (isAt('[')) {
                throw dimensions("an array whose first element has a number of its own");
            }
            List<@Nullable String> elements = new ArrayList<>();
            expect('{');
            skipBlanks();
            if (isAt('}')) {
                position++;
            } else {
                do {
                    elements.add(element());
                    skipBlanks();
                } while (isSeparatorNext());
            }
            skipBlanks();
            if (position != text.length()) {
                throw malformed();
            }
            return elements;
        }

        private boolean isSeparatorNext() {
            if (isAt(',')) {
                position++;
                return true;
            }
            expect('}');
            return false;
        }

        private @Nullable String element() {
            skipBlanks();
            if (isAt('{')) {
                throw dimensions("an array of several dimensions");
            }
            value.setLength(0);
            if (isAt('"')) {
                position++;
                while (!isAt('"')) {
                    value.append(unescaped());
                }
                position++;
                return value.toString();
            }
            boolean isEscaped = false;
            int end = 0; // without blanks at the end, but for those that are escaped
            while (position < text.length() && !isAt(',') && !isAt('}')) {
                boolean isEscape = isAt('\\');
                if (isAt('"') || isAt('{')) {
                    throw malformed();
                }
                isEscaped |= isEscape;
                char character = unescaped();
                value.append(character);
                end = isEscape || !isBlank(character) ? value.length() : end;
            }
            if (end == 0) {
                throw malformed();
            }
            String element = value.substring(0, end);
            return !isEscaped && element.equalsIgnoreCase("NULL") ? null : element;
        }

        /** The next character, or the one after a backslash. */
        private char unescaped() {
            if (isAt('\\')) {
                position++;
            }
            if (position >= text.length()) {
                throw malformed();
            }
            return text.charAt(position++);
        }

        private boolean isAt(char character) {
            return position < text.length() && text.charAt(position) == character;
        }

        private void expect(char character) {
            if (!isAt(character)) {
                throw malformed();
            }
            position++;
        }

        private void skipBlanks() {
            while (position < text.length() && isBlank(text.charAt(position))) {
                position++;
            }
        }

        private FulmarException malformed() {
            String shown = text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
            return new FulmarException(
                    ErrorCode.INVALID_TEXT, "malformed array literal: \"" + shown + "\"; write it as {1,2,NULL}");
        }

        private static FulmarException dimensions(String what) {
            return new FulmarException(
                    ErrorCode.NOT_SUPPORTED, what + " is not supported; an array has one, as {1,2,NULL}");
        }
    }
}
