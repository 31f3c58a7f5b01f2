package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.WideDecimal;
import io.netty.buffer.ByteBuf;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Binary form of {@code numeric}: counts of 16 bits, then groups of four decimal digits from the greatest on, without
 * groups of zeros at either end.
 */
public final class NumericBinaryForm {
    private static final int GROUP_DIGITS = 4;
    private static final int GROUP = 10_000;
    private static final int POSITIVE = 0;
    private static final int NEGATIVE = 0x4000;
    private static final int NAN = 0xC000;
    private static final int INFINITY = 0xD000;
    private static final int NEGATIVE_INFINITY = 0xF000;
    /** PostgreSQL sends this scale with an infinity, and it means nothing. */
    private static final int INFINITY_SCALE = 0x20;

    private static final int HEADER_BYTES = 4 * Short.BYTES;
    private static final int MOST_LONG_SCALE = 18;

    private NumericBinaryForm() {}

    /** Appends a number of 64 bits with the scale, without making an object. */
    public static void write(ByteBuf out, long unscaled, int scale) {
        if (scale > MOST_LONG_SCALE) {
            write(out, BigDecimal.valueOf(unscaled, scale));
            return;
        }
        long power = NumericForm.powerOfTen(scale);
        long whole = unscaled / power;
        long fraction = Math.abs(unscaled % power);
        int start = begin(out, unscaled < 0 ? NEGATIVE : POSITIVE, scale);
        int wholeGroups = writeWhole(out, whole);
        writeFraction(out, fraction, scale);
        end(out, start, wholeGroups - 1);
    }

    /** Appends a number of 128 bits with the scale. */
    public static void write(ByteBuf out, long high, long low, int scale) {
        if (WideDecimal.fitsLong(high, low)) {
            write(out, low, scale);
        } else {
            write(out, WideDecimal.toBigDecimal(high, low, scale));
        }
    }

    /** Appends a number. */
    public static void write(ByteBuf out, BigDecimal value) {
        BigDecimal plain = value.scale() < 0 ? value.setScale(0) : value;
        int scale = plain.scale();
        int padding = (GROUP_DIGITS - scale % GROUP_DIGITS) % GROUP_DIGITS;
        String digits = plain.unscaledValue().abs().toString() + "0".repeat(padding);
        int fractionGroups = (scale + padding) / GROUP_DIGITS;
        int lead = (GROUP_DIGITS - digits.length() % GROUP_DIGITS) % GROUP_DIGITS;
        String groups = "0".repeat(lead) + digits;
        int start = begin(out, plain.signum() < 0 ? NEGATIVE : POSITIVE, scale);
        for (int i = 0; i < groups.length(); i += GROUP_DIGITS) {
            out.writeShort(Integer.parseInt(groups, i, i + GROUP_DIGITS, 10));
        }
        end(out, start, groups.length() / GROUP_DIGITS - fractionGroups - 1);
    }

    /** Appends any value. */
    public static void write(ByteBuf out, NumericValue value) {
        switch (value) {
            case NumericValue.Finite(BigDecimal number) -> write(out, number);
            case NumericValue.Special special -> {
                int sign = switch (special) {
                    case NAN -> NAN;
                    case INFINITY -> INFINITY;
                    case NEGATIVE_INFINITY -> NEGATIVE_INFINITY;
                };
                out.writeShort(0).writeShort(0).writeShort(sign);
                out.writeShort(special == NumericValue.Special.NAN ? 0 : INFINITY_SCALE);
            }
        }
    }

    private static int begin(ByteBuf out, int sign, int scale) {
        int start = out.writerIndex();
        out.writeShort(0).writeShort(0).writeShort(sign).writeShort(scale);
        return start;
    }

    /** Leaves out groups of zeros at both ends, and fills in the counts. */
    private static void end(ByteBuf out, int start, int firstWeight) {
        int first = start + HEADER_BYTES;
        int end = out.writerIndex();
        int weight = firstWeight;
        int kept = first;
        while (kept < end && out.getShort(kept) == 0) {
            kept += Short.BYTES;
            weight--;
        }
        while (end > kept && out.getShort(end - Short.BYTES) == 0) {
            end -= Short.BYTES;
        }
        for (int i = 0; kept > first && i < end - kept; i += Short.BYTES) {
            out.setShort(first + i, out.getShort(kept + i));
        }
        out.writerIndex(first + end - kept);
        int count = (end - kept) / Short.BYTES;
        out.setShort(start, count);
        out.setShort(start + Short.BYTES, count == 0 ? 0 : weight);
    }

    private static int writeWhole(ByteBuf out, long whole) {
        int groups = 1;
        long divisor = 1;
        while (Long.compareUnsigned(Math.abs(whole / divisor), GROUP) >= 0) {
            divisor *= GROUP;
            groups++;
        }
        for (long rest = whole; divisor > 0; divisor /= GROUP) {
            out.writeShort((int) Math.abs(rest / divisor));
            rest %= divisor;
        }
        return groups;
    }

    private static void writeFraction(ByteBuf out, long fraction, int scale) {
        long rest = fraction;
        int digits = scale;
        while (digits >= GROUP_DIGITS) {
            digits -= GROUP_DIGITS;
            long divisor = NumericForm.powerOfTen(digits);
            out.writeShort((int) (rest / divisor));
            rest %= divisor;
        }
        if (digits > 0) {
            out.writeShort((int) (rest * NumericForm.powerOfTen(GROUP_DIGITS - digits)));
        }
    }

    /** Reads any value. */
    public static NumericValue decode(byte[] bytes) {
        if (bytes.length < HEADER_BYTES) {
            throw invalid("it has " + bytes.length + " bytes, fewer than its counts");
        }
        int count = unsignedShort(bytes, 0);
        int weight = (short) unsignedShort(bytes, 1);
        int sign = unsignedShort(bytes, 2);
        int scale = unsignedShort(bytes, 3);
        if (bytes.length != HEADER_BYTES + count * Short.BYTES) {
            throw invalid("it counts " + count + " groups in " + bytes.length + " bytes");
        }
        if (scale > NumericForm.MOST_SCALE) {
            throw invalid("invalid scale " + scale);
        }
        return switch (sign) {
            case POSITIVE, NEGATIVE -> number(bytes, count, weight, scale, sign == NEGATIVE);
            case NAN -> NumericValue.Special.NAN;
            case INFINITY -> NumericValue.Special.INFINITY;
            case NEGATIVE_INFINITY -> NumericValue.Special.NEGATIVE_INFINITY;
            default -> throw invalid("invalid sign " + sign);
        };
    }

    private static NumericValue number(byte[] bytes, int count, int weight, int scale, boolean isNegative) {
        byte[] digits = new byte[count * GROUP_DIGITS];
        for (int i = 0; i < count; i++) {
            int group = unsignedShort(bytes, GROUP_DIGITS + i);
            if (group >= GROUP) {
                throw invalid("invalid digit " + group);
            }
            for (int j = GROUP_DIGITS - 1; j >= 0; j--) {
                digits[i * GROUP_DIGITS + j] = (byte) ('0' + group % 10);
                group /= 10;
            }
        }
        int valueScale = (count - 1 - weight) * GROUP_DIGITS;
        // PostgreSQL cuts off what is not shown; a few bytes may have very many places, so this makes no number first.
        int end = digits.length - Math.max(0, valueScale - scale);
        int first = 0;
        while (first < end && digits[first] == '0') {
            first++;
        }
        if (first >= end) {
            return new NumericValue.Finite(NumericForm.filled(BigDecimal.ZERO, scale));
        }
        int shownScale = Math.min(valueScale, scale);
        if (end - first - shownScale > NumericForm.MOST_INTEGER_DIGITS) {
            throw NumericForm.overflow("a number of " + (end - first - shownScale) + " digits before the point");
        }
        BigInteger unscaled = DecimalDigits.number(digits, first, end);
        BigDecimal number = new BigDecimal(isNegative ? unscaled.negate() : unscaled, shownScale);
        return new NumericValue.Finite(NumericForm.filled(number, scale));
    }

    private static int unsignedShort(byte[] bytes, int index) {
        int position = index * Short.BYTES;
        return (bytes[position] & 0xFF) << Byte.SIZE | (bytes[position + 1] & 0xFF);
    }

    private static RuntimeException invalid(String problem) {
        return InvalidValue.binary(PostgresType.NUMERIC, problem);
    }
}
