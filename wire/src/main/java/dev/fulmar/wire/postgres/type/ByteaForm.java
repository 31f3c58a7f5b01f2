package dev.fulmar.wire.postgres.type;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Text form of {@code bytea}; the binary form is the bytes themselves. */
public final class ByteaForm {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int OCTAL_DIGITS = 3;
    private static final int LAST_ASCII = 0x7f;

    private ByteaForm() {}

    /** Appends {@code \x} and two hexadecimal digits for each byte. */
    public static void writeText(ByteBuf out, byte[] bytes, int offset, int length) {
        out.ensureWritable(2 + 2 * length);
        out.writeByte('\\').writeByte('x');
        for (int i = offset; i < offset + length; i++) {
            writeHex(out, bytes[i]);
        }
    }

    /** Appends the bytes as characters, of which others than those of ASCII are three octal digits. */
    static void writeEscaped(ByteBuf out, byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            byte value = bytes[i];
            if (value == '\\') {
                out.writeByte('\\').writeByte('\\');
            } else if (value >= ' ' && value < LAST_ASCII) {
                out.writeByte(value);
            } else {
                out.writeByte('\\')
                        .writeByte('0' + (value >> 6 & 3))
                        .writeByte('0' + (value >> 3 & 7))
                        .writeByte('0' + (value & 7));
            }
        }
    }

    static void writeHex(ByteBuf out, byte value) {
        out.writeByte(HEX[value >> 4 & 0xF]).writeByte(HEX[value & 0xF]);
    }

    /** Reads hexadecimal digits after {@code \x}, or else the older form with octal escapes. */
    public static byte[] parse(byte[] text, int from, int to) {
        return to - from >= 2 && text[from] == '\\' && text[from + 1] == 'x'
                ? parseHex(text, from + 2, to)
                : parseEscapes(text, from, to);
    }

    private static byte[] parseHex(byte[] text, int from, int to) {
        byte[] bytes = new byte[(to - from) / 2];
        int size = 0;
        int position = from;
        while (position < to) {
            if (isBlankBetweenDigits(text[position])) {
                position++;
                continue;
            }
            int high = Character.digit(text[position], 16);
            int low = position + 1 < to ? Character.digit(text[position + 1], 16) : -1;
            if (high < 0 || low < 0) {
                throw InvalidValue.hexadecimal(text, from, to);
            }
            bytes[size++] = (byte) (high << 4 | low);
            position += 2;
        }
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    private static boolean isBlankBetweenDigits(byte character) {
        return character == ' ' || character == '\n' || character == '\t' || character == '\r';
    }

    private static byte[] parseEscapes(byte[] text, int from, int to) {
        byte[] bytes = new byte[to - from];
        int size = 0;
        int position = from;
        while (position < to) {
            byte character = text[position];
            if (character != '\\') {
                bytes[size++] = character;
                position++;
            } else if (position + 1 < to && text[position + 1] == '\\') {
                bytes[size++] = '\\';
                position += 2;
            } else {
                bytes[size++] = octal(text, position + 1, from, to);
                position += 1 + OCTAL_DIGITS;
            }
        }
        return Arrays.copyOf(bytes, size);
    }

    private static byte octal(byte[] text, int position, int from, int to) {
        int value = 0;
        for (int i = position; i < position + OCTAL_DIGITS; i++) {
            int digit = i < to ? Character.digit(text[i], 8) : -1;
            if (digit < 0 || (i == position && digit > 3)) {
                throw syntax(text, from, to);
            }
            value = value << 3 | digit;
        }
        return (byte) value;
    }

    private static RuntimeException syntax(byte[] text, int from, int to) {
        return InvalidValue.syntax(PostgresType.BYTEA, text, from, to, "\\xCAFE");
    }
}
