package dev.fulmar.wire.postgres.type;

import io.netty.buffer.ByteBuf;

/** Text and binary forms of {@code int2}, {@code int4}, {@code int8} and {@code oid}. */
public final class IntegerForm {
    private static final int RADIX = 10;
    private static final long MAX_OID = 0xFFFF_FFFFL;

    private IntegerForm() {}

    /** Appends decimal digits. */
    public static void writeText(ByteBuf out, long value) {
        if (value < 0) {
            out.writeByte('-');
        }
        writeDigits(out, value, 1);
    }

    /** Appends the digits of the value without sign, with zeros before them up to the least count. */
    static void writeDigits(ByteBuf out, long value, int leastDigits) {
        int digits = Math.max(leastDigits, digits(value));
        int start = out.writerIndex();
        out.ensureWritable(digits);
        long rest = value;
        for (int i = digits - 1; i >= 0; i--) {
            out.setByte(start + i, '0' + Math.abs((int) (rest % RADIX)));
            rest /= RADIX;
        }
        out.writerIndex(start + digits);
    }

    private static int digits(long value) {
        int digits = 1;
        for (long rest = value / RADIX; rest != 0; rest /= RADIX) {
            digits++;
        }
        return digits;
    }

    /** Appends the value in the type's size, big-endian; one that does not fit fails with 22003. */
    public static void writeBinary(ByteBuf out, PostgresType type, long value) {
        if (value < least(type) || value > most(type)) {
            throw InvalidValue.range(type, Long.toString(value));
        }
        switch (type.size()) {
            case Short.BYTES -> out.writeShort((int) value);
            case Integer.BYTES -> out.writeInt((int) value);
            default -> out.writeLong(value);
        }
    }

    /** Reads decimal digits with an optional sign, and blanks around them. */
    public static long parse(PostgresType type, byte[] text, int from, int to) {
        int position = AsciiText.trimmedStart(text, from, to);
        int end = AsciiText.trimmedEnd(text, position, to);
        boolean isNegative = position < end && text[position] == '-';
        if (isNegative || (position < end && text[position] == '+')) {
            position++;
        }
        if (position == end) {
            throw syntax(type, text, from, to);
        }
        long least = least(type);
        long bound = type == PostgresType.OID ? -MAX_OID : least;
        long value = 0; // the negative of what was read, for there are more negative numbers
        for (; position < end; position++) {
            if (!AsciiText.isDigit(text[position])) {
                throw syntax(type, text, from, to);
            }
            int digit = text[position] - '0';
            if (value < (bound + digit) / RADIX) {
                throw InvalidValue.range(type, text, from, to);
            }
            value = value * RADIX - digit;
        }
        if (!isNegative && value == Long.MIN_VALUE) {
            throw InvalidValue.range(type, text, from, to);
        }
        long signed = isNegative ? value : -value;
        if (signed < least || signed > most(type)) {
            throw InvalidValue.range(type, text, from, to);
        }
        return type == PostgresType.OID ? signed & MAX_OID : signed;
    }

    /** Reads the value in the type's size. */
    public static long decode(PostgresType type, byte[] bytes) {
        long value = bits(type, bytes);
        return type == PostgresType.OID || type == PostgresType.REGCLASS ? value & MAX_OID : value;
    }

    /** All bytes of a value of the type's size as one number, with the sign of the first. */
    static long bits(PostgresType type, byte[] bytes) {
        BinaryLength.check(type, bytes, type.size());
        long value = bytes[0];
        for (int i = 1; i < bytes.length; i++) {
            value = value << Byte.SIZE | (bytes[i] & 0xFF);
        }
        return value;
    }

    private static long least(PostgresType type) {
        return switch (type.size()) {
            case Short.BYTES -> Short.MIN_VALUE;
            case Integer.BYTES -> Integer.MIN_VALUE;
            default -> Long.MIN_VALUE;
        };
    }

    private static long most(PostgresType type) {
        return switch (type.size()) {
            case Short.BYTES -> Short.MAX_VALUE;
            case Integer.BYTES -> type == PostgresType.INT4 ? Integer.MAX_VALUE : MAX_OID; // an OID has no sign
            default -> Long.MAX_VALUE;
        };
    }

    private static RuntimeException syntax(PostgresType type, byte[] text, int from, int to) {
        return InvalidValue.syntax(type, text, from, to, "-12");
    }
}
