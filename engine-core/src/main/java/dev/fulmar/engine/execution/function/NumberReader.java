package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.execution.function.NumberTemplate.Part;
import dev.fulmar.engine.execution.function.NumberTemplate.SignPlace;
import dev.fulmar.engine.execution.function.NumberTemplate.Word;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigDecimal;

/** Reads one number by a template, place by place, as PostgreSQL's to_number does. */
final class NumberReader {
    private static final String OF_NUMBERS = "0123456789.,+-";
    private static final char END = '\0';

    private final NumberTemplate template;
    private final String text;
    private final StringBuilder digits = new StringBuilder();
    private int place;
    private boolean isNegative;
    private boolean hasSign;
    private boolean hasPoint;
    private int before;
    private int behind;

    private NumberReader(NumberTemplate template, String text) {
        this.template = template;
        this.text = text;
    }

    static BigDecimal read(NumberTemplate template, String text) {
        if (template.has(Word.EEEE) || template.has(Word.RN)) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED, "EEEE and RN are for numbers that are written; read digits by 9 and 0");
        }
        return new NumberReader(template, text).number();
    }

    private BigDecimal number() {
        for (Part part : template.parts()) {
            if (isOver()) {
                break;
            }
            part(part);
        }
        String read = digits.toString();
        if (before + behind == 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_TEXT, "'" + text + "' has no digits where the template has them");
        }
        if (before > template.digitsBefore()) {
            throw new FulmarException(
                    ErrorCode.VALUE_OUT_OF_RANGE,
                    "numeric field overflow: the template has fewer digits than the text");
        }
        BigDecimal number = new BigDecimal(read.endsWith(".") ? read.substring(0, read.length() - 1) : read);
        return (isNegative ? number.negate() : number).scaleByPowerOfTen(-template.shift());
    }

    private boolean isOver() {
        return place >= text.length();
    }

    private char next() {
        return isOver() ? END : text.charAt(place);
    }

    private void part(Part part) {
        if (part.isDigitOrPoint()) {
            digit(part);
            place++;
        } else if (part.is(Word.COMMA) || part.is(Word.G)) {
            place += next() == ',' && !template.has(Word.FM) ? 1 : 0;
        } else if (part.is(Word.MI) || part.is(Word.PL) || part.is(Word.SG)) {
            sign(part);
        } else if (part.is(Word.L)) {
            skip(1);
        } else if (part.is(Word.TH)) {
            skip(2);
        } else if (part.word().isEmpty()) {
            place = text.offsetByCodePoints(
                    place,
                    Math.min(
                            text.codePointCount(place, text.length()),
                            part.text().codePointCount(0, part.text().length())));
        }
    }

    private void sign(Part part) {
        char next = next();
        boolean fits = (next == '-' && !part.is(Word.PL)) || (next == '+' && !part.is(Word.MI));
        if (fits) {
            sign(next);
            place++;
        } else {
            skip(1);
        }
    }

    private void sign(char sign) {
        isNegative = sign != '+';
        hasSign = true;
    }

    /** Passes so many characters, up to one that numbers have. */
    private void skip(int count) {
        for (int i = 0; i < count && !isOver() && OF_NUMBERS.indexOf(next()) < 0; i++) {
            place = text.offsetByCodePoints(place, 1);
        }
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private void digit(Part part) {
        if (next() == ' ') {
            place++;
        }
        boolean isBefore = !hasSign && before + behind == 0 && (part.is(Word.NINE) || part.is(Word.ZERO));
        char first = next();
        if (isBefore && (first == '-' || first == '+' || (first == '<' && template.has(Word.PR)))) {
            sign(first);
            place++;
        }
        if (isOver()) {
            return;
        }
        boolean isRead = false;
        if (isDigit(next())) {
            if (hasPoint && behind == template.digitsBehind()) {
                return;
            }
            digits.append(next());
            before += hasPoint ? 0 : 1;
            behind += hasPoint ? 1 : 0;
            isRead = true;
        } else if (template.hasPoint() && !hasPoint && next() == '.') {
            digits.append('.');
            hasPoint = true;
            isRead = true;
        }
        if (!hasSign && before + behind > 0) {
            signBehind(isRead);
        }
    }

    /** S stands behind the last digit, and other signs where no digit does. */
    private void signBehind(boolean isRead) {
        if (template.sign() != SignPlace.NONE) {
            char behindDigit = place + 1 < text.length() ? text.charAt(place + 1) : END;
            if (isRead && (behindDigit == '-' || behindDigit == '+')) {
                sign(behindDigit);
                place++;
            }
        } else if (!isRead
                && (template.has(Word.MI) || template.has(Word.PL) || template.has(Word.SG))
                && (next() == '-' || next() == '+')) {
            sign(next());
        }
    }
}
