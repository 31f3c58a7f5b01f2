package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Texts put together by a format, as PostgreSQL's {@code format} does (manual, 9.4.1). A place in the format is
 * {@code %[position$][-][width]type}; the width is a number, {@code *} or {@code *position$}.
 */
final class TextFormat {
    /** The first character of a value that is not NULL; a NULL is {@link #NOTHING}. */
    private static final char VALUE = '+';

    private static final String NOTHING = "-";
    private static final int MOST_CHARACTERS = 1 << 20;

    private final String format;
    private final Object[] arguments;
    private final StringBuilder text = new StringBuilder();
    private int place;

    /** The argument that was used last; the next one stands behind it. */
    private int used;

    private TextFormat(Object[] arguments) {
        this.format = (String) arguments[0];
        this.arguments = arguments;
    }

    /** format, values: each is a text that begins with {@link #VALUE}, or {@link #NOTHING}. */
    static String of(Object[] arguments) {
        return new TextFormat(arguments).text();
    }

    private String text() {
        while (place < format.length()) {
            char next = format.charAt(place++);
            if (next != '%') {
                text.append(next);
            } else if (letter() == '%') {
                text.append('%');
                place++;
            } else {
                value();
            }
            if (text.length() > MOST_CHARACTERS) {
                throw new FulmarException(
                        ErrorCode.VALUE_OUT_OF_RANGE,
                        "the text of a format has at most " + MOST_CHARACTERS + " characters; ask for a smaller width");
            }
        }
        return text.toString();
    }

    /** The next letter of the format. */
    private char letter() {
        if (place == format.length()) {
            throw TextValues.wrong("unterminated format() type specifier; for a single \"%\" write \"%%\"");
        }
        return format.charAt(place);
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    /** The digits from here on as a number. */
    private int number() {
        long number = 0;
        while (isDigit(letter())) {
            number = number * 10 + format.charAt(place++) - '0';
            if (number > Integer.MAX_VALUE) {
                throw outOfRange();
            }
        }
        return (int) number;
    }

    private static FulmarException outOfRange() {
        return new FulmarException(ErrorCode.VALUE_OUT_OF_RANGE, "number is out of range; format takes an INTEGER");
    }

    private void value() {
        int position = 0;
        int width = 0;
        boolean hasNumber = isDigit(letter());
        if (hasNumber) {
            int number = number();
            if (letter() == '$') {
                place++;
                position = checked(number);
                hasNumber = false;
            } else {
                width = number;
            }
        }
        boolean isLeft = false;
        while (!hasNumber && letter() == '-') {
            isLeft = true;
            place++;
        }
        if (!hasNumber) {
            width = width();
        }
        char type = letter();
        place++;
        int argument = position > 0 ? position : used + 1;
        if (type != 's' && type != 'I' && type != 'L') {
            throw TextValues.wrong("unrecognized format() type specifier \"" + type
                    + "\"; write s, I or L, and for a single \"%\" \"%%\"");
        }
        String value = argument(argument);
        padded(shown(value, type), isLeft || width < 0, Math.abs((long) width));
    }

    private int width() {
        if (letter() != '*') {
            return isDigit(letter()) ? number() : 0;
        }
        place++;
        int position = used + 1;
        if (isDigit(letter())) {
            position = checked(number());
            if (letter() != '$') {
                throw TextValues.wrong("width argument position must be ended by \"$\"");
            }
            place++;
        }
        String width = argument(position);
        try {
            return width.equals(NOTHING)
                    ? 0
                    : Integer.parseInt(width.substring(1).strip());
        } catch (NumberFormatException e) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT,
                    "the width of a format is an INTEGER, and not '" + width.substring(1) + "'");
        }
    }

    private static int checked(int position) {
        if (position == 0) {
            throw TextValues.wrong("format specifies argument 0, but arguments are numbered from 1");
        }
        return position;
    }

    private String argument(int number) {
        if (number >= arguments.length) {
            throw TextValues.wrong("too few arguments for format(): it asks for number " + number);
        }
        used = number;
        return (String) arguments[number];
    }

    private static String shown(String value, char type) {
        boolean isNothing = value.charAt(0) != VALUE;
        return switch (type) {
            case 'I' -> {
                if (isNothing) {
                    throw new FulmarException(
                            ErrorCode.NULL_NOT_ALLOWED, "null values cannot be formatted as an SQL identifier");
                }
                yield Identifiers.quoted(value.substring(1));
            }
            case 'L' -> isNothing ? "NULL" : TextValues.quoted(value.substring(1));
            default -> isNothing ? "" : value.substring(1);
        };
    }

    private void padded(String value, boolean isLeft, long width) {
        long blanks = width - value.codePointCount(0, value.length());
        if (blanks > MOST_CHARACTERS) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "the width of a format is at most " + MOST_CHARACTERS + ", and not " + width);
        }
        String padding = " ".repeat((int) Math.max(0, blanks));
        text.append(isLeft ? "" : padding).append(value).append(isLeft ? padding : "");
    }
}
