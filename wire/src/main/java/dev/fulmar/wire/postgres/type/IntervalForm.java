package dev.fulmar.wire.postgres.type;

import dev.fulmar.foundation.data.Interval;
import dev.fulmar.foundation.data.IntervalStyle;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** Text and binary forms of {@code interval}. Text is that of an IntervalStyle. */
public final class IntervalForm {
    private static final int BYTES = Long.BYTES + 2 * Integer.BYTES;

    private IntervalForm() {}

    /** Appends {@code 1 year 2 mons -3 days +04:05:06.7}. */
    public static void writeText(ByteBuf out, Interval value) {
        writeText(out, value, IntervalStyle.POSTGRES);
    }

    /** Appends the interval in the style. */
    static void writeText(ByteBuf out, Interval value, IntervalStyle style) {
        FloatForm.writeAscii(out, style.text(value));
    }

    /** Appends microseconds, days and months. */
    public static void writeBinary(ByteBuf out, int months, int days, long micros) {
        out.writeLong(micros).writeInt(days).writeInt(months);
    }

    /** Reads {@code 1 year 2 mons 3 days 04:05:06}, {@code P1Y2M3DT4H5M6S}, or {@code 1-2} for years and months. */
    public static Interval parse(byte[] text, int from, int to) {
        return Interval.parse(new String(text, from, to - from, StandardCharsets.UTF_8));
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
