package dev.fulmar.wire.postgres.type;

import io.netty.buffer.ByteBuf;
import java.util.UUID;

/** Text and binary forms of {@code uuid}. */
public final class UuidForm {
    private static final int BYTES = 2 * Long.BYTES;
    private static final int HYPHEN_AFTER_FIRST = 4;
    private static final int HYPHEN_AFTER_LAST = 10;

    private UuidForm() {}

    /** Appends hexadecimal digits in five groups. */
    public static void writeText(ByteBuf out, long high, long low) {
        for (int i = 0; i < BYTES; i++) {
            if (i >= HYPHEN_AFTER_FIRST && i <= HYPHEN_AFTER_LAST && i % 2 == 0) {
                out.writeByte('-');
            }
            long half = i < Long.BYTES ? high : low;
            ByteaForm.writeHex(out, (byte) (half >> ((Long.BYTES - 1 - i % Long.BYTES) * Byte.SIZE)));
        }
    }

    /** Appends 16 bytes. */
    public static void writeBinary(ByteBuf out, long high, long low) {
        out.writeLong(high).writeLong(low);
    }

    /** Reads 32 hexadecimal digits, with a hyphen after any four of them, perhaps in braces. */
    public static UUID parse(byte[] text, int from, int to) {
        boolean hasBraces = to - from >= 2 && text[from] == '{' && text[to - 1] == '}';
        int position = hasBraces ? from + 1 : from;
        int end = hasBraces ? to - 1 : to;
        long high = 0;
        long low = 0;
        for (int i = 0; i < BYTES; i++) {
            int first = position < end ? Character.digit(text[position], 16) : -1;
            int second = position + 1 < end ? Character.digit(text[position + 1], 16) : -1;
            if (first < 0 || second < 0) {
                throw syntax(text, from, to);
            }
            position += 2;
            long value = (long) first << 4 | second;
            if (i < Long.BYTES) {
                high = high << Byte.SIZE | value;
            } else {
                low = low << Byte.SIZE | value;
            }
            if (i % 2 == 1 && i < BYTES - 1 && position < end && text[position] == '-') {
                position++;
            }
        }
        if (position != end) {
            throw syntax(text, from, to);
        }
        return new UUID(high, low);
    }

    /** Reads 16 bytes. */
    public static UUID decode(byte[] bytes) {
        BinaryLength.check(PostgresType.UUID, bytes, BYTES);
        long high = 0;
        long low = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            high = high << Byte.SIZE | (bytes[i] & 0xFF);
            low = low << Byte.SIZE | (bytes[Long.BYTES + i] & 0xFF);
        }
        return new UUID(high, low);
    }

    private static RuntimeException syntax(byte[] text, int from, int to) {
        return InvalidValue.syntax(PostgresType.UUID, text, from, to, "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11");
    }
}
