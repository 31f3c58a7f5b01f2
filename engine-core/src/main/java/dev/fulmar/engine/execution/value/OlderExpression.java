package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Writes POSIX's basic and extended regular expressions as advanced ones (PostgreSQL's manual, 9.7.3.6). In neither
 * does a backslash mean anything in brackets, or before a letter or a digit.
 */
final class OlderExpression {
    /** Characters that are special in advanced expressions, and stand for themselves in basic ones. */
    private static final String PLAIN_IN_BASIC = "+?|(){}";

    private static final String KINDS_OF_ELEMENTS = ":.=";

    private final String source;
    private final StringBuilder text = new StringBuilder();
    private int place;

    /** Whether nothing that can be repeated stands before the place. */
    private boolean isBegin = true;

    /** Whether a group or the expression begins at the place. */
    private boolean isHead = true;

    /** Whether a repetition ends at the place. */
    private boolean isRepeated;

    private OlderExpression(String source) {
        this.source = source;
    }

    static String advanced(String source, boolean isBasic) {
        OlderExpression expression = new OlderExpression(source);
        while (expression.place < source.length()) {
            if (isBasic) {
                expression.basic();
            } else {
                expression.extended();
            }
        }
        return expression.text.toString();
    }

    private boolean isNext(String next) {
        return source.startsWith(next, place);
    }

    private boolean isDigit(int at) {
        return at < source.length() && source.charAt(at) >= '0' && source.charAt(at) <= '9';
    }

    private void extended() {
        char character = source.charAt(place);
        boolean isBound = character == '{' && isDigit(place + 1);
        boolean repeats = character == '*' || character == '+' || character == '?' || isBound;
        if (repeats && isRepeated) {
            throw wrong("a repetition is repeated");
        }
        isRepeated = repeats;
        if (character == '[') {
            brackets();
        } else if (character == '\\') {
            escaped();
        } else if (character == '(' && isNext("(?")) {
            throw wrong("nothing stands before a ?");
        } else if (isBound) {
            bound("}");
        } else {
            text.append(character);
            place++;
        }
    }

    private void basic() {
        char character = source.charAt(place);
        boolean wasBegin = isBegin;
        boolean wasHead = isHead;
        isBegin = false;
        isHead = false;
        if (character == '[') {
            brackets();
        } else if (character == '\\') {
            markedOrEscaped();
        } else if (character == '^' && wasHead) {
            isBegin = true;
            text.append(source.charAt(place++));
        } else {
            boolean isEnd = place + 1 == source.length() || source.startsWith("\\)", place + 1);
            boolean isPlain = PLAIN_IN_BASIC.indexOf(character) >= 0
                    || character == '^'
                    || (character == '$' && !isEnd)
                    || (character == '*' && wasBegin);
            text.append(isPlain ? "\\" : "").append(character);
            place++;
        }
    }

    /** A group, a bound, the edge of a word, or a character, of a basic expression. */
    private void markedOrEscaped() {
        if (isNext("\\(") || isNext("\\)")) {
            isBegin = isNext("\\(");
            isHead = isBegin;
            text.append(source.charAt(place + 1));
            place += 2;
        } else if (isNext("\\{")) {
            place++;
            bound("\\}");
        } else if (isNext("\\<") || isNext("\\>")) {
            text.append(isNext("\\<") ? "\\m" : "\\M");
            place += 2;
        } else if (isDigit(place + 1) && source.charAt(place + 1) != '0') {
            throw wrong("back references are not supported");
        } else {
            escaped();
        }
    }

    /** The character behind a backslash. */
    private void escaped() {
        if (place + 1 == source.length()) {
            throw wrong("nothing follows the backslash at its end");
        }
        int character = source.codePointAt(place + 1);
        text.append(Character.isLetterOrDigit(character) ? "" : "\\").appendCodePoint(character);
        place += 1 + Character.charCount(character);
    }

    /** The numbers of repetitions, from the brace on to the end. */
    private void bound(String end) {
        int close = source.indexOf(end, place);
        if (!isDigit(place + 1) || close < 0) {
            throw wrong("a number of repetitions is {m}, {m,} or {m,n}");
        }
        text.append(source, place, close).append('}');
        place = close + end.length();
    }

    private void brackets() {
        text.append(source.charAt(place++));
        if (isNext("^")) {
            text.append(source.charAt(place++));
        }
        boolean isFirst = true;
        while (place < source.length() && (isFirst || !isNext("]"))) {
            char character = source.charAt(place);
            boolean isElement = character == '['
                    && place + 1 < source.length()
                    && KINDS_OF_ELEMENTS.indexOf(source.charAt(place + 1)) >= 0;
            if (isElement) {
                element(source.charAt(place + 1) + "]");
            } else {
                text.append(character == '\\' ? "\\" : "").append(character);
                place++;
            }
            isFirst = false;
        }
        if (place == source.length()) {
            throw wrong("a bracket is not closed");
        }
        text.append(source.charAt(place++));
    }

    private void element(String end) {
        int close = source.indexOf(end, place + 2);
        if (close < 0) {
            throw wrong("a bracket is not closed");
        }
        text.append(source, place, close + end.length());
        place = close + end.length();
    }

    private static FulmarException wrong(String why) {
        return new FulmarException(
                ErrorCode.INVALID_REGULAR_EXPRESSION, "invalid regular expression: " + why + "; write it differently");
    }
}
