package dev.fulmar.postgres.dialect;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.type.ArrayForm;
import dev.fulmar.wire.postgres.type.PostgresType;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that statements about the catalog make of constant texts, as tools do of the search path or of the name of a
 * table. Such an array becomes its text, and its bounds become numbers.
 */
final class ConstantArrays {
    /** Elements of an array, and parts of a name. */
    private static final int MOST_ELEMENTS = 1_000;

    private static final Pattern PLAIN_ELEMENT = Pattern.compile("[^\\s\"\\\\{},]+");

    private final String source;
    private final Words words;

    /** Of each word, whether it stands where a table may; words move behind the one that is looked at only. */
    private final boolean[] tables;

    private ConstantArrays(String source, Words words) {
        this.source = source;
        this.words = words;
        this.tables = CalledTables.places(words);
    }

    static void replace(String source, Words words) {
        ConstantArrays arrays = new ConstantArrays(source, words);
        for (int i = words.count() - 1; i >= 0; i--) { // arguments before the function that takes them
            if (words.areAt(i + 1, "(") && (!words.at(i - 1).isSymbol(".") || words.areAt(i - 2, "PG_CATALOG"))) {
                arrays.replace(i);
            }
        }
    }

    private void replace(int place) {
        int start = words.areAt(place - 2, "PG_CATALOG", ".") ? place - 2 : place;
        int close = words.closing(place + 1);
        switch (words.at(place).word()) {
            case "STRING_TO_ARRAY" -> {
                String text = words.areAt(place + 3, ",") && close == place + 5 ? text(place + 2) : null;
                String separator = text == null ? null : text(place + 4);
                if (text != null && separator != null) {
                    put(start, place, close, split(text, separator, place));
                }
            }
            case "PARSE_IDENT" -> {
                String name = close == place + 3 ? text(place + 2) : null;
                if (name != null) {
                    put(start, place, close, parts(name, place));
                }
            }
            case "ARRAY_LOWER", "ARRAY_UPPER", "ARRAY_LENGTH" -> bound(start, place, close);
            default -> {
                // No array.
            }
        }
    }

    /** The bounds of the first dimension; an empty array has none. */
    private void bound(int start, int place, int close) {
        boolean isOfText = words.areAt(place + 3, ",") && close == place + 5;
        String array = isOfText && words.at(place + 4).text().equals("1") ? text(place + 2) : null;
        if (array != null) {
            byte[] bytes = array.getBytes(StandardCharsets.UTF_8);
            int count = ArrayForm.parse(PostgresType.TEXT, bytes, 0, bytes.length, ZoneOffset.UTC)
                    .size();
            int bound = words.at(place).isWord("ARRAY_LOWER") ? 1 : count;
            words.replace(start, close + 1, count == 0 ? "CAST(NULL AS INTEGER)" : Integer.toString(bound));
        }
    }

    /** The value of a text, of the client's or made; null for anything else. */
    private @Nullable String text(int place) {
        Lexeme lexeme = words.at(place);
        return switch (lexeme.kind()) {
            case STRING, ESCAPED, DOLLAR -> TextLiteral.value(source, lexeme);
            case MADE -> made(lexeme.text());
            default -> null;
        };
    }

    private static @Nullable String made(String text) {
        boolean isQuoted = text.length() > 1 && text.startsWith("'") && text.endsWith("'");
        String inside = isQuoted ? text.substring(1, text.length() - 1) : "'";
        return inside.replace("''", "").contains("'") ? null : inside.replace("''", "'");
    }

    private void put(int start, int place, int close, List<String> elements) {
        String text = elements.stream().map(ConstantArrays::element).collect(Collectors.joining(",", "{", "}"));
        String array = "'" + text.replace("'", "''") + "'";
        if (tables[start]) {
            CalledTables.name(words, close + 1, words.at(place).word());
        }
        words.replace(start, close + 1, tables[start] ? "(VALUES (" + array + "))" : array);
    }

    private static String element(String text) {
        boolean isPlain = PLAIN_ELEMENT.matcher(text).matches() && !text.equalsIgnoreCase("NULL");
        return isPlain ? text : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** An empty text has no parts, and a separator that is empty separates nothing. */
    private List<String> split(String text, String separator, int place) {
        if (text.isEmpty()) {
            return List.of();
        }
        List<String> elements =
                separator.isEmpty() ? List.of(text) : List.of(text.split(Pattern.quote(separator), MOST_ELEMENTS + 1));
        checkCount(elements, place);
        return elements;
    }

    private void checkCount(List<String> elements, int place) {
        if (elements.size() > MOST_ELEMENTS) {
            throw Place.error(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    source,
                    words.at(place).start(),
                    "an array has at most " + MOST_ELEMENTS + " elements here; use several statements");
        }
    }

    /** The parts of a name with dots, each as it is in the catalog. */
    private List<String> parts(String name, int place) {
        List<String> parts = new ArrayList<>();
        int end = -1;
        do {
            end = part(name, end + 1, parts);
            checkCount(parts, place);
        } while (end >= 0 && end < name.length() && name.charAt(end) == '.');
        if (end < name.length()) {
            throw Place.error(
                    ErrorCode.INVALID_ARGUMENT,
                    source,
                    words.at(place).start(),
                    "string is not a valid identifier: \"" + name + "\"; write it as schema.name, in double quotes"
                            + " where it has other letters than lower-case ones");
        }
        return parts;
    }

    /** Adds the part that begins behind blanks at the place, and returns its end, blanks too; -1 if none does. */
    private static int part(String name, int from, List<String> parts) {
        int start = afterBlanks(name, from);
        int end = start;
        if (end < name.length() && name.charAt(end) == '"') {
            do {
                end = name.indexOf('"', end + 1) + 1;
            } while (end > 0 && end < name.length() && name.charAt(end) == '"');
            if (end - start < 3) { // no quote that closes, or nothing between them
                return -1;
            }
            parts.add(name.substring(start + 1, end - 1).replace("\"\"", "\""));
        } else {
            while (end < name.length() && isLetterOfName(name.charAt(end), end > start)) {
                end++;
            }
            if (end == start) {
                return -1;
            }
            parts.add(name.substring(start, end).toLowerCase(Locale.ROOT));
        }
        return afterBlanks(name, end);
    }

    private static int afterBlanks(String name, int from) {
        int place = from;
        while (place < name.length() && Character.isWhitespace(name.charAt(place))) {
            place++;
        }
        return place;
    }

    private static boolean isLetterOfName(char letter, boolean isBehindFirst) {
        boolean isDigit = (letter >= '0' && letter <= '9') || letter == '$';
        boolean isLetter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        return isLetter || letter == '_' || letter > '\u007f' || (isBehindFirst && isDigit);
    }
}
