package dev.fulmar.engine.execution.value;

import dev.fulmar.engine.memory.OffHeap;
import java.nio.charset.StandardCharsets;

/** UTF-8 in native memory. */
public final class NativeText {
    private NativeText() {}

    /** Length from which a text is copied at once if it can be. */
    private static final int LONG_TEXT = 16;

    /** Most bytes that {@link #encode} writes, with a zero behind them. */
    public static long maxBytes(String text) {
        return 3L * text.length() + 1;
    }

    /** Writes the text as UTF-8 to the address; returns its length. An unpaired surrogate becomes a question mark. */
    public static int encode(String text, long address) {
        int length = text.length();
        if (length >= LONG_TEXT) {
            OffHeap.putText(address, text);
            if (isAscii(address, length)) {
                return length;
            }
        }
        for (int i = 0; i < length; i++) {
            char character = text.charAt(i);
            if (character >= 0x80) {
                return i + encodeWide(text, i, address + i);
            }
            OffHeap.putByte(address + i, (byte) character);
        }
        return length;
    }

    private static int encodeWide(String text, int from, long address) {
        byte[] rest = text.substring(from).getBytes(StandardCharsets.UTF_8);
        OffHeap.copy(rest, 0, address, rest.length);
        return rest.length;
    }

    public static String decode(long address, int length) {
        byte[] bytes = new byte[length];
        OffHeap.copy(address, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public static boolean startsCharacter(byte unit) {
        return (unit & 0xC0) != 0x80;
    }

    /** Characters (code points). */
    public static int characters(long address, int length) {
        int count = 0;
        for (int i = 0; i < length; i++) {
            if (startsCharacter(OffHeap.getByte(address + i))) {
                count++;
            }
        }
        return count;
    }

    /** Bytes of the first so many characters, all if there are fewer. */
    public static int prefixBytes(long address, int length, long characters) {
        long left = characters;
        for (int i = 0; i < length; i++) {
            if (startsCharacter(OffHeap.getByte(address + i)) && --left < 0) {
                return i;
            }
        }
        return length;
    }

    /** Position of the byte sequence at or after the start, or -1. */
    public static int indexOf(long address, int length, int start, long search, int searchLength) {
        for (int i = start; i <= length - searchLength; i++) {
            if (OffHeap.equal(address + i, search, searchLength)) {
                return i;
            }
        }
        return -1;
    }

    public static boolean isAscii(long address, int length) {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            if ((OffHeap.getLong(address + i) & 0x8080808080808080L) != 0) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (OffHeap.getByte(address + i) < 0) {
                return false;
            }
        }
        return true;
    }

    /** The length without blanks at the end. */
    public static int withoutTrailingBlanks(long address, int length) {
        int end = length;
        while (end > 0 && OffHeap.getByte(address + end - 1) == ' ') {
            end--;
        }
        return end;
    }
}
