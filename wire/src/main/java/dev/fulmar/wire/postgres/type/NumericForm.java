package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.Numeric;
import dev.fulmar.foundation.data.WideDecimal;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Text form of {@code numeric}. */
public final class NumericForm {
    /** Most digits before the point of Fulmar's numbers; PostgreSQL takes more. */
    static final int MOST_INTEGER_DIGITS = Numeric.MOST_WHOLE_DIGITS;

    /** Most digits after the point. */
    static final int MOST_SCALE = 16_383;

    /**
     * Most digits of a number to which zeros are added for its scale. A few bytes could ask for very many, and Fulmar's
     * numbers have far fewer.
     */
    static final int MOST_FILLED_DIGITS = 1_000;

    private static final int MOST_LONG_SCALE = 18;

    private NumericForm() {}

    /** Appends a number of 64 bits with the scale, without making an object. */
    public static void writeText(ByteBuf out, long unscaled, int scale) {
        if (scale == 0) {
            IntegerForm.writeText(out, unscaled);
            return;
        }
        if (scale > MOST_LONG_SCALE) {
            writeText(out, BigDecimal.valueOf(unscaled, scale));
            return;
        }
        long power = powerOfTen(scale);
        if (unscaled < 0) {
            out.writeByte('-');
        }
        IntegerForm.writeDigits(out, unscaled / power, 1);
        out.writeByte('.');
        IntegerForm.writeDigits(out, unscaled % power, scale);
    }

    /** Appends a number of 128 bits with the scale. */
    public static void writeText(ByteBuf out, long high, long low, int scale) {
        if (WideDecimal.fitsLong(high, low)) {
            writeText(out, low, scale);
        } else {
            writeText(out, WideDecimal.toBigDecimal(high, low, scale));
        }
    }

    /** Appends a number. */
    public static void writeText(ByteBuf out, BigDecimal value) {
        FloatForm.writeAscii(out, value.toPlainString());
    }

    /** Appends any value. */
    public static void writeText(ByteBuf out, NumericValue value) {
        switch (value) {
            case NumericValue.Finite(BigDecimal number) -> writeText(out, number);
            case NumericValue.Special special -> FloatForm.writeAscii(out, special.text());
        }
    }

    /** Reads a number, NaN or an infinity. */
    public static NumericValue parse(byte[] text, int from, int to) {
        int start = AsciiText.trimmedStart(text, from, to);
        int end = AsciiText.trimmedEnd(text, start, to);
        NumberShape shape = NumberShape.of(text, start, end);
        if (shape == null) {
            return special(text, start, end);
        }
        int exponent = shape.exponent();
        int scale = Math.max(0, shape.fractionDigits() - exponent);
        if (scale > MOST_SCALE
                || (!shape.isZero() && (long) shape.integerDigits() + exponent > MOST_INTEGER_DIGITS)
                || shape.integerDigits() > MOST_INTEGER_DIGITS + MOST_SCALE
                || shape.fractionDigits() > MOST_INTEGER_DIGITS + MOST_SCALE) {
            throw overflow("\"" + InvalidValue.shown(text, start, end) + "\"");
        }
        if (shape.isZero()) {
            return new NumericValue.Finite(filled(BigDecimal.ZERO, scale));
        }
        BigDecimal mantissa = shape.mantissaEnd() - start <= DecimalDigits.FEW
                ? new BigDecimal(new String(text, start, shape.mantissaEnd() - start, StandardCharsets.US_ASCII))
                : longMantissa(text, start, shape);
        return new NumericValue.Finite(filled(mantissa.scaleByPowerOfTen(exponent), scale));
    }

    private static BigDecimal longMantissa(byte[] text, int start, NumberShape shape) {
        byte[] digits = new byte[shape.mantissaEnd() - start];
        int count = 0;
        for (int i = start; i < shape.mantissaEnd(); i++) {
            boolean isLeadingZero = count == 0 && text[i] == '0';
            if (text[i] >= '0' && text[i] <= '9' && !isLeadingZero) {
                digits[count++] = text[i];
            }
        }
        BigInteger unscaled = DecimalDigits.number(digits, 0, count);
        return new BigDecimal(text[start] == '-' ? unscaled.negate() : unscaled, shape.fractionDigits());
    }

    /** The number with the scale, if that needs few zeros more. */
    static BigDecimal filled(BigDecimal number, int scale) {
        long digits = (long) number.precision() - number.scale() + scale;
        return number.scale() >= scale || digits > MOST_FILLED_DIGITS ? number : number.setScale(scale);
    }

    private static NumericValue special(byte[] text, int start, int end) {
        if (AsciiText.isWord(text, start, end, "nan")) {
            return NumericValue.Special.NAN;
        }
        boolean isNegative = start < end && text[start] == '-';
        int word = isNegative || (start < end && text[start] == '+') ? start + 1 : start;
        if (AsciiText.isWord(text, word, end, "infinity") || AsciiText.isWord(text, word, end, "inf")) {
            return isNegative ? NumericValue.Special.NEGATIVE_INFINITY : NumericValue.Special.INFINITY;
        }
        throw InvalidValue.syntax(PostgresType.NUMERIC, text, start, end, "-12.50 or 1e10");
    }

    static long powerOfTen(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }

    static FulmarException overflow(String shown) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "value overflows numeric format: " + shown + "; a number has at most " + MOST_INTEGER_DIGITS
                        + " digits before the point and " + MOST_SCALE + " after it");
    }
}
