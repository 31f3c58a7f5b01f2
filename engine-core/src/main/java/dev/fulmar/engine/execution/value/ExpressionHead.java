package dev.fulmar.engine.execution.value;

import dev.fulmar.engine.execution.value.RegularExpression.Form;
import dev.fulmar.engine.execution.value.RegularExpression.Options;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * The words about a regular expression that it begins with (PostgreSQL's manual, 9.7.3.4). These are the directors
 * {@code ***:} and {@code ***=}, and options as {@code (?i)}. The rest is an advanced expression, or characters that
 * stand for themselves.
 *
 * @param isMarked whether brackets are read as PostgreSQL reads them, for {@code ***:} stood there
 */
record ExpressionHead(String text, Options options, boolean isMarked) {
    private static final String MARK = "***:";
    private static final String LITERAL = "***=";
    private static final String DIRECTOR = "***";
    private static final String OPTIONS = "(?";

    /** @param given those of the letters behind the expression */
    static ExpressionHead of(String written, Options given) {
        if (given.form() != Form.ADVANCED) {
            return inForm(written.startsWith(MARK) ? written.substring(MARK.length()) : written, given);
        }
        String rest = written;
        while (rest.startsWith(MARK)) {
            rest = rest.substring(MARK.length());
        }
        if (rest.startsWith(LITERAL)) {
            return new ExpressionHead(rest.substring(LITERAL.length()), given.literal(), true);
        }
        boolean isMarked = rest.length() < written.length();
        int end = endOfOptions(rest);
        return end < 0
                ? new ExpressionHead(rest, given, isMarked)
                : withOptions(rest.substring(OPTIONS.length(), end), rest.substring(end + 1), given, isMarked);
    }

    /** Where the parenthesis of the options closes; -1 if there are none. */
    private static int endOfOptions(String text) {
        int place = OPTIONS.length();
        if (!text.startsWith(OPTIONS)) {
            return -1;
        }
        while (place < text.length() && isLetter(text.charAt(place))) {
            place++;
        }
        if (place == OPTIONS.length()) {
            return -1;
        }
        if (place == text.length() || text.charAt(place) != ')') {
            throw wrong("letters behind (? are options, and a parenthesis follows them");
        }
        return place;
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    private static ExpressionHead withOptions(String letters, String text, Options given, boolean isMarked) {
        Options options = given;
        for (int i = 0; i < letters.length(); i++) {
            Options with = options.with(letters.charAt(i));
            if (with == null) {
                throw wrong(
                        "there is no option " + letters.charAt(i) + "; they are b, c, e, i, m, n, p, q, s, t, w and x");
            }
            options = with;
        }
        return switch (options.form()) {
            case ADVANCED -> new ExpressionHead(text, options, isMarked);
            case LITERAL -> new ExpressionHead(text, options.literal(), true);
            case BASIC, EXTENDED -> older(text, options);
        };
    }

    /** An expression of a form that letters behind it say. */
    private static ExpressionHead inForm(String text, Options given) {
        if (given.form() == Form.LITERAL) {
            if (given.hasSyntax()) {
                throw wrong("the flag q goes with i and c alone");
            }
            return new ExpressionHead(text, given, true);
        }
        if (text.startsWith(DIRECTOR)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "a regular expression with the flag b or e begins with *** here; leave the flag or the director out");
        }
        return older(text, given);
    }

    private static ExpressionHead older(String text, Options options) {
        if (options.isExpanded()) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "the options b and e of a regular expression do not go with x; write it without blanks");
        }
        String advanced = OlderExpression.advanced(text, options.form() == Form.BASIC);
        return new ExpressionHead(advanced, options.in(Form.ADVANCED), true);
    }

    private static FulmarException wrong(String why) {
        return new FulmarException(
                ErrorCode.INVALID_REGULAR_EXPRESSION, "invalid regular expression: " + why + "; write it differently");
    }
}
