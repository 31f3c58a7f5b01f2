package dev.fulmar.wire.postgres.type;

import io.netty.buffer.ByteBuf;

/** Text and binary forms of {@code interval}. Text is that of the IntervalStyle postgres. */
public final class IntervalForm {
    private static final int MONTHS_PER_YEAR = 12;
    private static final long MICROS_PER_MINUTE = 60 * DatetimeForm.MICROS_PER_SECOND;
    private static final long MICROS_PER_HOUR = 60 * MICROS_PER_MINUTE;
    private static final int BYTES = Long.BYTES + 2 * Integer.BYTES;

    private IntervalForm() {}

    /** Appends {@code 1 year 2 mons -3 days +04:05:06.7}: a plus stands where the part before is negative. */
    public static void writeText(ByteBuf out, Interval value) {
        int start = out.writerIndex();
        boolean isNegative = writePart(out, start, false, value.months() / MONTHS_PER_YEAR, "year");
        isNegative = writePart(out, start, isNegative, value.months() % MONTHS_PER_YEAR, "mon");
        isNegative = writePart(out, start, isNegative, value.days(), "day");
        boolean isEmpty = out.writerIndex() == start;
        long micros = value.micros();
        if (micros == 0 && !isEmpty) {
            return;
        }
        if (!isEmpty) {
            out.writeByte(' ');
        }
        if (micros < 0) {
            out.writeByte('-');
        } else if (isNegative) {
            out.writeByte('+');
        }
        IntegerForm.writeDigits(out, micros / MICROS_PER_HOUR, 2);
        out.writeByte(':');
        IntegerForm.writeDigits(out, micros % MICROS_PER_HOUR / MICROS_PER_MINUTE, 2);
        out.writeByte(':');
        IntegerForm.writeDigits(out, micros % MICROS_PER_MINUTE / DatetimeForm.MICROS_PER_SECOND, 2);
        DatetimeForm.writeFraction(out, Math.abs(micros % DatetimeForm.MICROS_PER_SECOND));
    }

    /** Appends a part that is not 0; whether the last part that was written is negative. */
    private static boolean writePart(ByteBuf out, int start, boolean isNegative, int value, String unit) {
        if (value == 0) {
            return isNegative;
        }
        if (out.writerIndex() > start) {
            out.writeByte(' ');
        }
        if (isNegative && value > 0) {
            out.writeByte('+');
        }
        IntegerForm.writeText(out, value);
        out.writeByte(' ');
        FloatForm.writeAscii(out, unit);
        if (value != 1) {
            out.writeByte('s');
        }
        return value < 0;
    }

    /** Appends microseconds, days and months. */
    public static void writeBinary(ByteBuf out, Interval value) {
        out.writeLong(value.micros()).writeInt(value.days()).writeInt(value.months());
    }

    /** Reads {@code 1 year 2 mons 3 days 04:05:06}, {@code P1Y2M3DT4H5M6S}, or {@code 1-2} for years and months. */
    public static Interval parse(byte[] text, int from, int to) {
        return new IntervalReader(text, from, to).read();
    }

    /** Reads microseconds, days and months. */
    public static Interval decode(byte[] bytes) {
        BinaryLength.check(PostgresType.INTERVAL, bytes, BYTES);
        return new Interval(
                (int) number(bytes, Long.BYTES + Integer.BYTES, Integer.BYTES),
                (int) number(bytes, Long.BYTES, Integer.BYTES),
                number(bytes, 0, Long.BYTES));
    }

    private static long number(byte[] bytes, int start, int count) {
        long value = 0;
        for (int i = start; i < start + count; i++) {
            value = value << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return value;
    }
}
