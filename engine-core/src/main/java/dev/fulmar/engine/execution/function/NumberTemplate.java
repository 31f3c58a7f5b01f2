package dev.fulmar.engine.execution.function;

import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A template by which a number is written, as PostgreSQL's to_char has it (manual, 9.8). Immutable. */
final class NumberTemplate {
    private static final int ROMAN_WIDTH = 15;
    private static final int MOST_ROMAN = 3_999;
    private static final int[] ROMAN_VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] ROMAN_DIGITS = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"
    };

    /** Digits that a double has for certain. */
    private static final int DOUBLE_DIGITS = 15;

    /** Parts that a template may have; longer words before those that begin them. */
    enum Word {
        EEEE,
        COMMA(","),
        POINT("."),
        NINE("9"),
        ZERO("0"),
        FM,
        MI,
        PL,
        PR,
        RN,
        SG,
        SP,
        TH,
        B,
        C,
        D,
        G,
        L,
        S,
        V;

        private final String text;

        Word() {
            text = name();
        }

        Word(String text) {
            this.text = text;
        }
    }

    /**
     * A part of the template.
     *
     * @param text as it is written; copied if there is no word
     */
    record Part(Set<Word> word, String text) {
        boolean is(Word other) {
            return word.contains(other);
        }

        boolean isDigitOrPoint() {
            return is(Word.NINE) || is(Word.ZERO) || is(Word.D) || is(Word.POINT);
        }
    }

    /** Where the sign of S stands. */
    enum SignPlace {
        NONE,
        BEFORE,
        BEHIND
    }

    private final List<Part> parts;
    private final Set<Word> words = EnumSet.noneOf(Word.class);
    private int digitsBefore;
    private int digitsBehind;
    private int shift;
    private int firstZero = -1;
    private int lastZero;
    private int digitsBeforeSign;
    private SignPlace sign = SignPlace.NONE;

    private NumberTemplate(List<Part> parts) {
        this.parts = List.copyOf(parts);
        parts.forEach(part -> part.word.forEach(word -> add(word, part.text)));
    }

    static NumberTemplate of(String template) {
        List<Part> parts = new ArrayList<>();
        int place = 0;
        while (place < template.length()) {
            Word word = word(template, place);
            if (word != null) {
                parts.add(new Part(Set.of(word), template.substring(place, place + word.text.length())));
                place += word.text.length();
            } else if (template.charAt(place) == '"') {
                StringBuilder text = new StringBuilder();
                place = quoted(template, place + 1, text);
                parts.add(new Part(Set.of(), text.toString()));
            } else {
                place += template.startsWith("\\\"", place) ? 1 : 0;
                parts.add(new Part(Set.of(), template.substring(place, place + 1)));
                place++;
            }
        }
        return new NumberTemplate(parts);
    }

    /** Appends the text up to the next quote; in it a backslash stands before any character that is copied. */
    private static int quoted(String template, int start, StringBuilder text) {
        int place = start;
        while (place < template.length() && template.charAt(place) != '"') {
            place += template.charAt(place) == '\\' && place + 1 < template.length() ? 1 : 0;
            text.append(template.charAt(place));
            place++;
        }
        return place + 1;
    }

    private static @Nullable Word word(String template, int place) {
        for (Word word : Word.values()) {
            if (template.startsWith(word.text, place)
                    || template.startsWith(word.text.toLowerCase(Locale.ROOT), place)) {
                return word;
            }
        }
        return null;
    }

    List<Part> parts() {
        return parts;
    }

    boolean has(Word word) {
        return words.contains(word);
    }

    boolean hasPoint() {
        return has(Word.D) || has(Word.POINT);
    }

    int digitsBefore() {
        return digitsBefore + shift;
    }

    /** Digits behind V, which are behind the point of a number that is read. */
    int shift() {
        return shift;
    }

    int digitsBehind() {
        return digitsBehind;
    }

    /** The place of the first 0, or -1. */
    int firstZero() {
        return firstZero;
    }

    /** Digits up to the last 0, with it. */
    int lastZero() {
        return lastZero;
    }

    /** S stands behind the number too where all digits are before it. */
    SignPlace sign() {
        return sign == SignPlace.BEFORE && digitsBefore() == digitsBeforeSign ? SignPlace.BEHIND : sign;
    }

    private void add(Word word, String text) {
        if (has(Word.EEEE)) {
            throw wrong(text, "EEEE is the last part of a template");
        }
        boolean hasSign = sign != SignPlace.NONE;
        boolean hasOther = has(Word.MI) || has(Word.PL) || has(Word.SG) || has(Word.PR);
        switch (word) {
            case NINE -> digit();
            case ZERO -> zero();
            case D, POINT -> check(!hasPoint() && !has(Word.V), text, "a template has one point, and none beside V");
            case S -> {
                check(!hasSign && !hasOther, text, "a template has one kind of sign");
                sign = hasPoint() ? SignPlace.BEHIND : SignPlace.BEFORE;
                digitsBeforeSign = digitsBefore;
            }
            case MI, PL, SG -> check(!hasSign, text, "a template has one kind of sign");
            case PR -> check(!hasSign && !hasOther, text, "a template has one kind of sign");
            case V -> check(!hasPoint(), text, "V stands beside no point");
            case EEEE ->
                check(
                        !hasSign && !hasOther && !has(Word.FM) && !has(Word.RN) && !has(Word.V),
                        text,
                        "EEEE stands beside digits and a point alone");
            case COMMA, FM, RN, SP, TH, B, C, G, L -> {}
        }
        words.add(word);
    }

    private void digit() {
        check(!has(Word.PR), "9", "digits stand before PR");
        if (has(Word.V)) {
            shift++;
        } else if (hasPoint()) {
            digitsBehind++;
        } else {
            digitsBefore++;
        }
    }

    private void zero() {
        check(!has(Word.PR), "0", "digits stand before PR");
        if (firstZero < 0 && !hasPoint()) {
            firstZero = digitsBefore;
        }
        if (hasPoint()) {
            digitsBehind++;
        } else {
            digitsBefore++;
        }
        lastZero = digitsBefore + digitsBehind;
    }

    private static void check(boolean condition, String part, String rule) {
        if (!condition) {
            throw wrong(part, rule);
        }
    }

    private static FulmarException wrong(String part, String rule) {
        return new FulmarException(
                ErrorCode.SYNTAX, "the template of a number cannot have '" + part + "' there: " + rule);
    }

    /** The number by the template. */
    String text(Object number) {
        if (number instanceof Double value) {
            if (value.isNaN() || value.isInfinite()) {
                throw new FulmarException(
                        ErrorCode.NOT_SUPPORTED, "a template of digits is not for " + value + "; CAST it to text");
            }
            boolean isNegative = value < 0 || (value == 0 && 1 / value < 0);
            return has(Word.EEEE)
                    ? scientific(new BigDecimal(value), isNegative, RoundingMode.HALF_EVEN)
                    : text(new BigDecimal(value), digitsOfDouble(value), isNegative, RoundingMode.HALF_EVEN);
        }
        if (number instanceof Numeric value) {
            return value.isNumber() ? text(value.number()) : special(value);
        }
        BigDecimal exact = number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf((Long) number);
        return has(Word.EEEE)
                ? scientific(exact, exact.signum() < 0, RoundingMode.HALF_UP)
                : text(exact, digitsBehind, false, RoundingMode.HALF_UP);
    }

    /** The word of what is no number takes the places of digits, or there are too few of them. */
    private String special(Numeric value) {
        if (has(Word.RN)) {
            throw new FulmarException(ErrorCode.NOT_SUPPORTED, "no Roman number is " + value + "; CAST it to text");
        }
        if (has(Word.EEEE)) {
            return " " + "#".repeat(digitsBefore()) + "." + "#".repeat(digitsBehind + 4);
        }
        String word = value.signum() < 0 ? value.toString().substring(1) : value.toString();
        return written(word, word.length(), digitsBehind, value.signum() < 0);
    }

    /** Digits behind the point, without those that a double does not have. */
    private int digitsOfDouble(double value) {
        int before = new BigDecimal(Math.abs(value))
                .scaleByPowerOfTen(shift)
                .setScale(0, RoundingMode.HALF_EVEN)
                .toPlainString()
                .length();
        return Math.max(0, Math.min(digitsBehind, DOUBLE_DIGITS - before));
    }

    private String text(BigDecimal number, int behind, boolean isNegative, RoundingMode rounding) {
        if (has(Word.RN)) {
            return roman(number.setScale(0, rounding));
        }
        BigDecimal rounded = number.scaleByPowerOfTen(shift).setScale(behind, rounding);
        String digits = rounded.abs().toPlainString();
        int before = digits.indexOf('.') < 0 ? digits.length() : digits.indexOf('.');
        return written(digits, before, behind, isNegative || rounded.signum() < 0);
    }

    /** @param before digits before the point; there may be more than the template has */
    private String written(String digits, int before, int behind, boolean isNegative) {
        int blanks = Math.max(0, digitsBefore() - before);
        String shown = before > digitsBefore() ? "#".repeat(digitsBefore()) + "." + "#".repeat(behind) : digits;
        return new NumberWriter(this, shown, behind, blanks, isNegative).text();
    }

    private String roman(BigDecimal whole) {
        boolean isPossible = whole.signum() > 0 && whole.compareTo(BigDecimal.valueOf(MOST_ROMAN)) <= 0;
        String digits = isPossible ? romanDigits(whole.intValueExact()) : "#".repeat(ROMAN_WIDTH);
        boolean isLower = parts.stream().anyMatch(part -> part.text.equals("rn"));
        String text = isLower ? digits.toLowerCase(Locale.ROOT) : digits;
        return has(Word.FM) ? text : " ".repeat(ROMAN_WIDTH - text.length()) + text;
    }

    private static String romanDigits(int number) {
        StringBuilder text = new StringBuilder();
        int rest = number;
        for (int i = 0; i < ROMAN_VALUES.length; i++) {
            while (rest >= ROMAN_VALUES[i]) {
                text.append(ROMAN_DIGITS[i]);
                rest -= ROMAN_VALUES[i];
            }
        }
        return text.toString();
    }

    private String scientific(BigDecimal number, boolean isNegative, RoundingMode rounding) {
        int exponent = number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
        BigDecimal first = number.scaleByPowerOfTen(-exponent).setScale(digitsBehind, rounding);
        if (first.abs().compareTo(BigDecimal.TEN) >= 0 && !isExact(number, rounding)) {
            exponent++;
            first = number.scaleByPowerOfTen(-exponent).setScale(digitsBehind, rounding);
        }
        return (isNegative ? "-" : " ")
                + first.abs().toPlainString()
                + String.format(Locale.ROOT, "e%s%02d", exponent < 0 ? "-" : "+", Math.abs(exponent));
    }

    /** PostgreSQL writes a numeric that is rounded up to ten as {@code 10e+01}. */
    private static boolean isExact(BigDecimal number, RoundingMode rounding) {
        return rounding == RoundingMode.HALF_UP && number.scale() > 0;
    }
}
