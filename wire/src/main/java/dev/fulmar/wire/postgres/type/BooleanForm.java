package dev.fulmar.wire.postgres.type;

import io.netty.buffer.ByteBuf;

/** Text and binary forms of booleans. */
public final class BooleanForm {
    private BooleanForm() {}

    /** Appends {@code t} or {@code f}. */
    public static void writeText(ByteBuf out, boolean value) {
        out.writeByte(value ? 't' : 'f');
    }

    /** Appends one byte, 1 or 0. */
    public static void writeBinary(ByteBuf out, boolean value) {
        out.writeByte(value ? 1 : 0);
    }

    /** Reads true, false, yes, no, on, off, 1, 0 and what these begin with, as far as it is only one of them. */
    public static boolean parse(byte[] text, int from, int to) {
        int start = AsciiText.trimmedStart(text, from, to);
        int end = AsciiText.trimmedEnd(text, start, to);
        boolean isMoreThanOneLetter = end - start > 1;
        if (AsciiText.startsWord(text, start, end, "true")
                || AsciiText.startsWord(text, start, end, "yes")
                || AsciiText.isWord(text, start, end, "on")
                || AsciiText.isWord(text, start, end, "1")) {
            return true;
        }
        if (AsciiText.startsWord(text, start, end, "false")
                || AsciiText.startsWord(text, start, end, "no")
                || (isMoreThanOneLetter && AsciiText.startsWord(text, start, end, "off"))
                || AsciiText.isWord(text, start, end, "0")) {
            return false;
        }
        throw InvalidValue.syntax(PostgresType.BOOL, text, from, to, "true or false");
    }

    /** Reads one byte; each but 0 is true. */
    public static boolean decode(byte[] bytes) {
        BinaryLength.check(PostgresType.BOOL, bytes, 1);
        return bytes[0] != 0;
    }
}
