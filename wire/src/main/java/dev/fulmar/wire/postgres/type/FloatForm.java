package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Text and binary forms of {@code float4} and {@code float8}. Text is the shortest that names the number. */
public final class FloatForm {
    /** From these powers of ten on, text has an exponent. */
    private static final int LEAST_EXPONENT = 15;

    private static final int LEAST_FLOAT_EXPONENT = 6;

    /** Below this power of ten, text has an exponent. */
    private static final int LEAST_PLAIN_EXPONENT = -4;

    private FloatForm() {}

    /** Appends a {@code float8}. */
    public static void writeText(ByteBuf out, double value) {
        if (writeSpecial(out, value)) {
            return;
        }
        write(out, ShortestDecimal.of(Math.abs(value)), LEAST_EXPONENT);
    }

    /** Appends a {@code float4}. */
    public static void writeText(ByteBuf out, float value) {
        if (writeSpecial(out, value)) {
            return;
        }
        write(out, ShortestDecimal.of(Math.abs(value)), LEAST_FLOAT_EXPONENT);
    }

    /** Appends the bits of a {@code float8}. */
    public static void writeBinary(ByteBuf out, double value) {
        out.writeLong(Double.doubleToLongBits(value));
    }

    /** Appends the bits of a {@code float4}. */
    public static void writeBinary(ByteBuf out, float value) {
        out.writeInt(Float.floatToIntBits(value));
    }

    /** Reads a {@code float8}. */
    public static double parse(byte[] text, int from, int to) {
        int start = AsciiText.trimmedStart(text, from, to);
        int end = AsciiText.trimmedEnd(text, start, to);
        double special = special(text, start, end);
        if (special != 0) {
            return special;
        }
        boolean isZero = isZero(PostgresType.FLOAT8, text, start, end);
        double value = Double.parseDouble(new String(text, start, end - start, StandardCharsets.US_ASCII));
        if (Double.isInfinite(value) || (value == 0 && !isZero)) {
            throw range(PostgresType.FLOAT8, text, start, end);
        }
        return value;
    }

    /** Reads a {@code float4}. */
    public static float parseFloat(byte[] text, int from, int to) {
        int start = AsciiText.trimmedStart(text, from, to);
        int end = AsciiText.trimmedEnd(text, start, to);
        double special = special(text, start, end);
        if (special != 0) {
            return (float) special;
        }
        boolean isZero = isZero(PostgresType.FLOAT4, text, start, end);
        float value = Float.parseFloat(new String(text, start, end - start, StandardCharsets.US_ASCII));
        if (Float.isInfinite(value) || (value == 0 && !isZero)) {
            throw range(PostgresType.FLOAT4, text, start, end);
        }
        return value;
    }

    /** Reads the bits of a {@code float8}. */
    public static double decode(byte[] bytes) {
        return Double.longBitsToDouble(IntegerForm.bits(PostgresType.FLOAT8, bytes));
    }

    /** Reads the bits of a {@code float4}. */
    public static float decodeFloat(byte[] bytes) {
        return Float.intBitsToFloat((int) IntegerForm.bits(PostgresType.FLOAT4, bytes));
    }

    /** Appends the sign, and the whole value if it is 0 or no number; whether it did. */
    private static boolean writeSpecial(ByteBuf out, double value) {
        if (Double.isNaN(value)) {
            writeAscii(out, "NaN");
            return true;
        }
        if (Double.doubleToRawLongBits(value) < 0) {
            out.writeByte('-');
        }
        if (Double.isInfinite(value)) {
            writeAscii(out, "Infinity");
            return true;
        }
        if (value == 0) {
            out.writeByte('0');
            return true;
        }
        return false;
    }

    private static void write(ByteBuf out, ShortestDecimal decimal, int leastExponent) {
        String digits = decimal.digits();
        int exponent = decimal.exponent();
        if (exponent < LEAST_PLAIN_EXPONENT || exponent >= leastExponent) {
            out.writeByte(digits.charAt(0));
            if (digits.length() > 1) {
                out.writeByte('.');
                writeAscii(out, digits, 1, digits.length());
            }
            out.writeByte('e').writeByte(exponent < 0 ? '-' : '+');
            IntegerForm.writeDigits(out, Math.abs(exponent), 2);
        } else if (exponent < 0) {
            writeAscii(out, "0.");
            writeZeros(out, -1 - exponent);
            writeAscii(out, digits);
        } else {
            int whole = Math.min(digits.length(), exponent + 1);
            writeAscii(out, digits, 0, whole);
            writeZeros(out, exponent + 1 - whole);
            if (digits.length() > whole) {
                out.writeByte('.');
                writeAscii(out, digits, whole, digits.length());
            }
        }
    }

    private static void writeZeros(ByteBuf out, int count) {
        for (int i = 0; i < count; i++) {
            out.writeByte('0');
        }
    }

    static void writeAscii(ByteBuf out, String text) {
        writeAscii(out, text, 0, text.length());
    }

    private static void writeAscii(ByteBuf out, String text, int from, int to) {
        for (int i = from; i < to; i++) {
            out.writeByte(text.charAt(i));
        }
    }

    /** NaN or an infinity, or 0 for what is neither. */
    private static double special(byte[] text, int start, int end) {
        if (AsciiText.isWord(text, start, end, "nan")) {
            return Double.NaN;
        }
        boolean isNegative = start < end && text[start] == '-';
        int word = isNegative || (start < end && text[start] == '+') ? start + 1 : start;
        if (AsciiText.isWord(text, word, end, "infinity") || AsciiText.isWord(text, word, end, "inf")) {
            return isNegative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        return 0;
    }

    /** Checks that the text is a number as PostgreSQL writes it, and no other of Java's; whether all digits are 0. */
    private static boolean isZero(PostgresType type, byte[] text, int start, int end) {
        NumberShape shape = NumberShape.of(text, start, end);
        if (shape == null) {
            throw InvalidValue.syntax(type, text, start, end, "-1.5, 1e10, Infinity or NaN");
        }
        return shape.isZero();
    }

    private static FulmarException range(PostgresType type, byte[] text, int start, int end) {
        return new FulmarException(
                ErrorCode.VALUE_OUT_OF_RANGE,
                "\"" + InvalidValue.shown(text, start, end) + "\" is out of range for type " + type.sqlName()
                        + "; choose numeric");
    }
}
