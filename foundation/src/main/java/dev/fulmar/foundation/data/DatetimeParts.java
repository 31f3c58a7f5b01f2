package dev.fulmar.foundation.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Cuts the text of a date and a time into parts: numbers, words, dates, times and offsets. */
final class DatetimeParts {
    private static final int MOST_PARTS = 25;
    private static final int MOST_CHARACTERS = 128;

    private final String text;
    private final List<Part> found = new ArrayList<>();
    private int place;

    /** The kind of a part, by its characters alone. */
    enum Kind {
        /** Digits, perhaps with a point. */
        NUMBER,
        WORD,
        /** A word behind a sign. */
        SIGNED_WORD,
        /** Numbers and words with signs between, which may be the name of a zone too. */
        DATE,
        TIME,
        /** Digits behind a sign. */
        OFFSET
    }

    /** A part in lower case. */
    record Part(Kind kind, String text) {
        boolean beginsWithDigit() {
            return isDigit(text.charAt(0));
        }
    }

    private DatetimeParts(String text) {
        this.text = text;
    }

    /** The parts in their order. */
    static List<Part> of(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw DatetimeTextException.form();
        }
        DatetimeParts parts = new DatetimeParts(text.toLowerCase(Locale.ROOT));
        while (parts.place < parts.text.length()) {
            parts.next();
        }
        return parts.found;
    }

    static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    static boolean isLetter(char character) {
        return character >= 'a' && character <= 'z';
    }

    private char here() {
        return place < text.length() ? text.charAt(place) : 0;
    }

    private void next() {
        char first = here();
        int start = place;
        if (first <= ' ') {
            place++;
        } else if (isDigit(first)) {
            Kind kind = numbers();
            add(kind, text.substring(start, place));
        } else if (first == '.') {
            place++;
            digits();
            add(Kind.NUMBER, text.substring(start, place));
        } else if (isLetter(first)) {
            Kind kind = letters();
            add(kind, text.substring(start, place));
        } else if (first == '+' || first == '-') {
            signed(first);
        } else if (first < 0x7f) {
            place++; // other punctuation keeps parts apart
        } else {
            throw DatetimeTextException.form();
        }
    }

    private void add(Kind kind, String part) {
        if (found.size() == MOST_PARTS) {
            throw DatetimeTextException.form();
        }
        found.add(new Part(kind, part));
    }

    private void digits() {
        while (isDigit(here())) {
            place++;
        }
    }

    private Kind numbers() {
        digits();
        char separator = here();
        if (separator == ':') {
            while (isDigit(here()) || here() == ':' || here() == '.') {
                place++;
            }
            return Kind.TIME;
        }
        if (separator != '-' && separator != '/' && separator != '.') {
            return Kind.NUMBER;
        }
        place++;
        if (!isDigit(here())) {
            while (isDigit(here()) || isLetter(here()) || here() == separator) {
                place++;
            }
            return Kind.DATE;
        }
        digits();
        if (here() == separator) {
            while (isDigit(here()) || here() == separator) {
                place++;
            }
            return Kind.DATE;
        }
        return separator == '.' ? Kind.NUMBER : Kind.DATE;
    }

    private Kind letters() {
        int start = place;
        while (isLetter(here())) {
            place++;
        }
        char after = here();
        boolean isDate = after == '-' || after == '/' || after == '.';
        if (after == '+' || isDigit(after)) {
            isDate = DatetimeWord.of(text.substring(start, place)) == null;
        }
        if (!isDate) {
            return Kind.WORD;
        }
        while (isDigit(here()) || isLetter(here()) || (here() != 0 && "+-/_.:".indexOf(here()) >= 0)) {
            place++;
        }
        return Kind.DATE;
    }

    /** Blanks between the sign and what is behind it vanish. */
    private void signed(char sign) {
        place++;
        while (here() != 0 && here() <= ' ') {
            place++;
        }
        int start = place;
        if (isDigit(here())) {
            while (isDigit(here()) || here() == ':' || here() == '.' || here() == '-') {
                place++;
            }
            add(Kind.OFFSET, sign + text.substring(start, place));
        } else if (isLetter(here())) {
            while (isLetter(here())) {
                place++;
            }
            add(Kind.SIGNED_WORD, sign + text.substring(start, place));
        } else {
            throw DatetimeTextException.form();
        }
    }
}
