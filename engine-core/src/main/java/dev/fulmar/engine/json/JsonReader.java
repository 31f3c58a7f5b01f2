package dev.fulmar.engine.json;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Reads JSON (RFC 8259) as PostgreSQL takes it. One text, one thread. */
public final class JsonReader {
    /** How deeply arrays and objects may be nested. */
    public static final int MOST_LEVELS = 1_000;

    /** Digits before the point, and behind it, of the numbers that PostgreSQL has. */
    private static final int MOST_WHOLE_DIGITS = 131_072;

    private static final int MOST_FRACTION_DIGITS = 16_383;

    /** Of a number: sign, point and exponent. */
    private static final int MOST_OTHER_CHARACTERS = 20;

    /** An exponent of more digits is out of range, whatever it multiplies. */
    private static final int MOST_EXPONENT_DIGITS = 7;

    private static final int SHOWN_CHARACTERS = 20;
    private static final JsonValue NOTHING = new JsonValue.Nothing();

    private final String text;

    /** Whether values are wanted, or just that the text is JSON. */
    private final boolean keeps;

    private int place;

    /** Digits of numbers so far, with the zeros that exponents stand for. */
    private long writtenDigits;

    private int level;

    /** @param keeps whether values are wanted, or just where they end */
    JsonReader(String text, boolean keeps) {
        this.text = text;
        this.keeps = keeps;
    }

    /** Throws unless the text is JSON. Its escaped characters need not exist. */
    public static void check(String text) {
        whole(new JsonReader(text, false));
    }

    /** The document. */
    public static JsonValue value(String text) {
        return whole(new JsonReader(text, true));
    }

    private static JsonValue whole(JsonReader reader) {
        JsonValue value = reader.value();
        reader.skipBlank();
        if (reader.place < reader.text.length()) {
            throw reader.unexpected("the end");
        }
        return value;
    }

    int place() {
        return place;
    }

    /** The next character that is no blank, or NUL at the end. */
    char peek() {
        skipBlank();
        return place < text.length() ? text.charAt(place) : 0;
    }

    /** Whether the next character is this one, which then is behind the reader. */
    boolean accept(char wanted) {
        if (place < text.length() && peek() == wanted) {
            place++;
            return true;
        }
        return false;
    }

    void expect(char wanted, String what) {
        if (!accept(wanted)) {
            throw unexpected(what);
        }
    }

    private void skipBlank() {
        while (place < text.length()) {
            char each = text.charAt(place);
            if (each != ' ' && each != '\t' && each != '\n' && each != '\r') {
                return;
            }
            place++;
        }
    }

    /** The next value; of no use if none is wanted. */
    JsonValue value() {
        return switch (peek()) {
            case '{' -> members();
            case '[' -> elements();
            case '"' -> {
                String string = string(keeps);
                yield keeps ? new JsonValue.Text(string) : NOTHING;
            }
            case 't' -> word("true", new JsonValue.Truth(true));
            case 'f' -> word("false", new JsonValue.Truth(false));
            case 'n' -> word("null", NOTHING);
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> throw unexpected("a value");
        };
    }

    private JsonValue word(String word, JsonValue value) {
        if (!text.startsWith(word, place)) {
            throw unexpected("a value");
        }
        place += word.length();
        return value;
    }

    private void descend() {
        place++;
        if (++level > MOST_LEVELS) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "JSON is nested at most " + MOST_LEVELS + " levels deep; keep deeper parts in rows of their own");
        }
    }

    private JsonValue elements() {
        descend();
        List<JsonValue> values = new ArrayList<>();
        if (!accept(']')) {
            do {
                JsonValue value = value();
                if (keeps) {
                    values.add(value);
                }
            } while (accept(','));
            expect(']', "',' or ']'");
        }
        level--;
        return keeps ? new JsonValue.Elements(values) : NOTHING;
    }

    private JsonValue members() {
        descend();
        List<JsonValue.Member> members = new ArrayList<>();
        if (!accept('}')) {
            do {
                String key = key();
                JsonValue value = value();
                if (keeps) {
                    members.add(new JsonValue.Member(key, value));
                }
            } while (accept(','));
            expect('}', "',' or '}'");
        }
        level--;
        return keeps ? JsonValue.Members.of(members) : NOTHING;
    }

    /** A key with the colon behind it; of no use if no value is wanted. */
    private String key() {
        if (peek() != '"') {
            throw unexpected("a key in double quotes");
        }
        String key = string(keeps);
        expect(':', "':'");
        return key;
    }

    /** The text in quotes that begins here; an empty one unless it is wanted. */
    String string(boolean isWanted) {
        int start = ++place;
        while (place < text.length()) {
            char each = text.charAt(place);
            if (each == '"') {
                String plain = isWanted ? text.substring(start, place) : "";
                place++;
                return plain;
            }
            if (each == '\\') {
                return escaped(start, isWanted);
            }
            checkPlain(each);
            place++;
        }
        throw unexpected("'\"'");
    }

    private void checkPlain(char each) {
        if (each < ' ') {
            throw wrong("a character below U+0020 stands in a text; write it as " + JsonWriter.escaped(each));
        }
    }

    private String escaped(int start, boolean isWanted) {
        StringBuilder string = new StringBuilder(text.substring(start, place));
        while (place < text.length()) {
            char each = text.charAt(place);
            if (each == '"') {
                place++;
                return isWanted ? string.toString() : "";
            }
            if (each == '\\') {
                escape(string, isWanted);
            } else {
                checkPlain(each);
                string.append(each);
                place++;
            }
        }
        throw unexpected("'\"'");
    }

    private void escape(StringBuilder string, boolean isWanted) {
        place++;
        char letter = place < text.length() ? text.charAt(place++) : 0;
        switch (letter) {
            case '"', '\\', '/' -> string.append(letter);
            case 'b' -> string.append('\b');
            case 'f' -> string.append('\f');
            case 'n' -> string.append('\n');
            case 'r' -> string.append('\r');
            case 't' -> string.append('\t');
            case 'u' -> {
                char unit = unit();
                if (isWanted) {
                    add(string, unit);
                }
            }
            default -> throw wrong("\\" + (letter == 0 ? "" : letter) + " is no escape");
        }
    }

    /** Adds a character or, of one that takes two units, both. */
    private void add(StringBuilder string, char unit) {
        if (unit == 0) {
            throw new FulmarException(
                    ErrorCode.UNTRANSLATABLE_CHARACTER,
                    "\\u0000 is no character of a text; leave it out, or keep the document as JSON");
        }
        if (Character.isLowSurrogate(unit)) {
            throw wrong("the second half of a surrogate pair stands alone");
        }
        string.append(unit);
        if (Character.isHighSurrogate(unit)) {
            if (!text.startsWith("\\u", place)) {
                throw wrong("the second half of a surrogate pair is missing");
            }
            place += 2;
            char low = unit();
            if (!Character.isLowSurrogate(low)) {
                throw wrong("the second half of a surrogate pair is missing");
            }
            string.append(low);
        }
    }

    private char unit() {
        int unit = 0;
        for (int i = 0; i < 4; i++) {
            int digit = place < text.length() ? hexadecimal(text.charAt(place)) : -1;
            if (digit < 0) {
                throw wrong("\\u stands before four hexadecimal digits");
            }
            unit = unit * 16 + digit;
            place++;
        }
        return (char) unit;
    }

    private static int hexadecimal(char each) {
        return each < 128 ? Character.digit(each, 16) : -1;
    }

    private JsonValue number() {
        int start = place;
        if (text.charAt(place) == '-') {
            place++;
        }
        int whole = place;
        digits("a digit");
        if (place > whole + 1 && text.charAt(whole) == '0') {
            throw wrong("a number has no 0 before its digits");
        }
        if (isNext('.')) {
            place++;
            digits("a digit");
        }
        int exponent = -1;
        if (isNext('e') || isNext('E')) {
            place++;
            if (isNext('+') || isNext('-')) {
                place++;
            }
            exponent = place;
            digits("a digit of the exponent");
        }
        return keeps ? new JsonValue.Number(number(text.substring(start, place), exponent - start)) : NOTHING;
    }

    private boolean isNext(char wanted) {
        return place < text.length() && text.charAt(place) == wanted;
    }

    private void digits(String what) {
        int start = place;
        while (place < text.length() && text.charAt(place) >= '0' && text.charAt(place) <= '9') {
            place++;
        }
        if (place == start) {
            throw unexpected(what);
        }
    }

    /** @param exponent the place of its digits; negative if there is none */
    private BigDecimal number(String digits, int exponent) {
        if (digits.length() > MOST_WHOLE_DIGITS + MOST_FRACTION_DIGITS + MOST_OTHER_CHARACTERS) {
            throw outOfRange(digits);
        }
        if (exponent >= 0 && withoutZeros(digits, exponent) > MOST_EXPONENT_DIGITS) {
            throw outOfRange(digits);
        }
        BigDecimal number = new BigDecimal(digits);
        if (number.scale() > MOST_FRACTION_DIGITS
                || (number.signum() != 0 && (long) number.precision() - number.scale() > MOST_WHOLE_DIGITS)) {
            throw outOfRange(digits);
        }
        writtenDigits += number.precision() + Math.abs((long) number.scale());
        if (writtenDigits > 2L * JsonText.MOST_CHARACTERS) { // before zeros take the memory of which no text has room
            throw new FulmarException(
                    ErrorCode.STRING_TOO_LONG,
                    "the numbers of a document have more digits than it may have characters; write shorter ones");
        }
        return number.scale() < 0 ? number.setScale(0) : number;
    }

    private static int withoutZeros(String digits, int from) {
        int first = from;
        while (first < digits.length() && digits.charAt(first) == '0') {
            first++;
        }
        return digits.length() - first;
    }

    private static FulmarException outOfRange(String digits) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "the number " + shown(digits) + " has too many digits; write fewer, or quote it");
    }

    private static String shown(String text) {
        return text.length() > SHOWN_CHARACTERS ? text.substring(0, SHOWN_CHARACTERS) + "..." : text;
    }

    private FulmarException unexpected(String wanted) {
        String found = place < text.length()
                ? "'" + shown(text.substring(place, Math.min(text.length(), place + SHOWN_CHARACTERS + 1))) + "'"
                : "the end";
        return wrong("there is " + found + " where " + wanted + " is expected");
    }

    private FulmarException wrong(String what) {
        return new FulmarException(
                ErrorCode.INVALID_TEXT,
                "this is no JSON, at character " + (Math.min(place, text.length()) + 1) + ": " + what);
    }
}
