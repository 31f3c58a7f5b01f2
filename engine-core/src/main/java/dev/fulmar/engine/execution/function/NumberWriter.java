package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.function.NumberTemplate.Part;
import dev.fulmar.engine.execution.function.NumberTemplate.SignPlace;
import dev.fulmar.engine.execution.function.NumberTemplate.Word;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Locale;

/** Writes the digits of one number by a template, place by place, as PostgreSQL's NUM_processor does. */
final class NumberWriter {
    private final NumberTemplate template;
    private final String digits;
    private final int behind;
    private final int blanks;
    private final boolean isNegative;
    private final boolean isFilled;
    private final boolean hasBrackets;

    /** The last digit that counts where zeros at the end are left out; -1 where they are not. */
    private final int lastRelevant;

    private final StringBuilder text = new StringBuilder();
    private boolean isSignWritten;
    private boolean isInNumber;

    /** A place behind all digits ends the text, whatever the template has behind it. */
    private boolean isEnded;

    private int place;
    private int digit;

    /**
     * @param digits the number without its sign
     * @param behind its digits behind the point
     * @param blanks digits that the template has before those of the number
     */
    NumberWriter(NumberTemplate template, String digits, int behind, int blanks, boolean isNegative) {
        this.template = template;
        this.digits = digits;
        this.behind = behind;
        this.blanks = blanks;
        this.isNegative = isNegative;
        isFilled = !template.has(Word.FM);
        hasBrackets = template.has(Word.PR) && (isNegative || isFilled);
        boolean hasPlus = template.has(Word.PL) || template.has(Word.SG);
        boolean hasMinus = template.has(Word.MI) || template.has(Word.SG);
        if (hasPlus || hasMinus) {
            isSignWritten = hasMinus;
        } else {
            isSignWritten = !isNegative && !isFilled && template.sign() == SignPlace.NONE;
        }
        lastRelevant = !isFilled && template.hasPoint() ? lastRelevant() : -1;
    }

    private int lastRelevant() {
        int point = digits.indexOf('.');
        if (point < 0) {
            return -1;
        }
        int last = point;
        for (int i = point + 1; i < digits.length(); i++) {
            last = digits.charAt(i) == '0' ? last : i;
        }
        return template.lastZero() > blanks
                ? Math.max(last, Math.min(digits.length() - 1, template.lastZero() - blanks))
                : last;
    }

    String text() {
        int count = behind + template.digitsBefore() - 1 + (!isSignWritten && blanks == 0 ? 1 : 0);
        int end = count + (blanks > 0 ? 1 : 0) + (template.hasPoint() ? 1 : 0);
        for (Part part : template.parts()) {
            if (isEnded) {
                return text.toString();
            }
            if (part.isDigitOrPoint()) {
                digit(part, end);
            } else if (part.is(Word.COMMA) || part.is(Word.G)) {
                text.append(isInNumber ? "," : isFilled ? " " : "");
            } else if (part.is(Word.MI)) {
                text.append(isNegative ? "-" : isFilled ? " " : "");
            } else if (part.is(Word.PL)) {
                text.append(isNegative ? (isFilled ? " " : "") : "+");
            } else if (part.is(Word.SG)) {
                text.append(isNegative ? '-' : '+');
            } else if (part.is(Word.L)) {
                text.append(' ');
            } else if (part.is(Word.TH)) {
                ordinal(part);
            } else if (part.word().isEmpty()) {
                text.append(part.text());
            }
        }
        return text.toString();
    }

    private void ordinal(Part part) {
        if (digits.startsWith("#") || isNegative || template.hasPoint()) {
            return;
        }
        if (digits.endsWith(".")) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT, "there is no number to be an ordinal; write digits before TH");
        }
        String ending = TimeTemplate.ordinalOf(digits);
        text.append(part.text().equals("th") ? ending.toLowerCase(Locale.ROOT) : ending);
    }

    /** {@code 0.1} by {@code 9.9} has a blank for its zero. */
    private boolean isBlankBeforePoint() {
        return template.firstZero() < 0 && digit == 0 && digits.startsWith("0") && behind > 0;
    }

    private boolean endsAtPoint() {
        return lastRelevant >= 0 && digits.charAt(lastRelevant) == '.';
    }

    private void digit(Part part, int end) {
        isInNumber = false;
        boolean isZero = template.firstZero() >= 0 && template.firstZero() <= place;
        if (!isSignWritten
                && (place >= blanks || template.firstZero() == place)
                && (!isBlankBeforePoint() || endsAtPoint())) {
            signBefore();
        }
        if (place < blanks && !isZero) {
            text.append(isFilled ? " " : "");
        } else if (place < blanks) {
            text.append('0');
            isInNumber = true;
        } else {
            ofNumber(part);
            digit = Math.min(digit + 1, digits.length());
        }
        if (isEnded) {
            return;
        }
        int last = lastRelevant >= 0 && lastRelevant == digit ? place : end;
        if (place + 1 == last) {
            if (isSignWritten && hasBrackets) {
                text.append(isNegative ? '>' : ' ');
            } else if (template.sign() == SignPlace.BEHIND) {
                text.append(isNegative ? '-' : '+');
            }
        }
        place++;
    }

    private void signBefore() {
        if (template.sign() != SignPlace.NONE) {
            if (template.sign() == SignPlace.BEFORE) {
                text.append(isNegative ? '-' : '+');
                isSignWritten = true;
            }
            return;
        }
        if (hasBrackets) {
            text.append(isNegative ? '<' : ' ');
        } else {
            text.append(isNegative ? "-" : isFilled ? " " : "");
        }
        isSignWritten = true;
    }

    private void ofNumber(Part part) {
        char next = digit < digits.length() ? digits.charAt(digit) : '\0';
        if (next == '.') {
            text.append('.');
        } else if (lastRelevant >= 0 && digit > lastRelevant && !part.is(Word.ZERO)) {
            return;
        } else if (isBlankBeforePoint()) {
            text.append(isFilled ? " " : endsAtPoint() ? "0" : "");
        } else if (next == '\0') {
            isEnded = true;
        } else {
            text.append(next);
            isInNumber = true;
        }
    }
}
