package dev.fulmar.engine.execution.function;

import dev.fulmar.engine.plan.ScalarFunction;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.function.Supplier;

/** Functions of bytes and of parts of them, and replacing a part of a text or of bytes. */
final class ByteValues {
    private ByteValues() {}

    static void addTo(Map<ScalarFunction, Supplier<ValueFunction>> functions) {
        functions.put(ScalarFunction.GET_BYTE, () -> ByteValues::byteAt);
        functions.put(ScalarFunction.SET_BYTE, () -> ByteValues::withByte);
        functions.put(ScalarFunction.GET_BIT, () -> ByteValues::bitAt);
        functions.put(ScalarFunction.SET_BIT, () -> ByteValues::withBit);
        functions.put(ScalarFunction.BIT_COUNT, () -> ByteValues::bits);
        functions.put(ScalarFunction.OVERLAY, () -> ByteValues::overlaid);
        functions.put(ScalarFunction.UNISTR, () -> arguments -> new UnicodeEscapes((String) arguments[0]).read());
    }

    private static int place(Object number, long count) {
        long place = (Long) number;
        if (place < 0 || place >= count) {
            throw new FulmarException(
                    ErrorCode.SUBSCRIPT_ERROR, "index " + place + " out of valid range, 0.." + (count - 1));
        }
        return (int) place;
    }

    private static Long byteAt(Object[] arguments) {
        byte[] bytes = (byte[]) arguments[0];
        return (long) (bytes[place(arguments[1], bytes.length)] & 0xff);
    }

    private static byte[] withByte(Object[] arguments) {
        byte[] bytes = ((byte[]) arguments[0]).clone();
        bytes[place(arguments[1], bytes.length)] = ((Long) arguments[2]).byteValue();
        return bytes;
    }

    /** Bits of a byte are counted from the least. */
    private static Long bitAt(Object[] arguments) {
        byte[] bytes = (byte[]) arguments[0];
        int place = place(arguments[1], 8L * bytes.length);
        return (long) (bytes[place / 8] >> place % 8 & 1);
    }

    private static byte[] withBit(Object[] arguments) {
        byte[] bytes = ((byte[]) arguments[0]).clone();
        int place = place(arguments[1], 8L * bytes.length);
        long bit = (Long) arguments[2];
        if (bit != 0 && bit != 1) {
            throw TextValues.wrong("new bit must be 0 or 1, not " + bit);
        }
        int mask = 1 << place % 8;
        bytes[place / 8] = (byte) (bit == 1 ? bytes[place / 8] | mask : bytes[place / 8] & ~mask);
        return bytes;
    }

    private static Long bits(Object[] arguments) {
        long count = 0;
        for (byte each : (byte[]) arguments[0]) {
            count += Integer.bitCount(each & 0xff);
        }
        return count;
    }

    /** text or bytes, what is put into it, place from 1[, length of what it replaces]. */
    private static Object overlaid(Object[] arguments) {
        long from = (Long) arguments[2];
        if (from < 1) {
            throw new FulmarException(
                    ErrorCode.SUBSTRING_ERROR, "negative substring length not allowed: places begin with 1");
        }
        return arguments[0] instanceof byte[] bytes
                ? overlaid(bytes, (byte[]) arguments[1], from, arguments)
                : overlaid((String) arguments[0], (String) arguments[1], from, arguments);
    }

    private static String overlaid(String text, String put, long from, Object[] arguments) {
        int[] characters = text.codePoints().toArray();
        int[] others = put.codePoints().toArray();
        long length = arguments.length > 3 ? (Long) arguments[3] : others.length;
        int head = (int) Math.min(from - 1, characters.length);
        int tail = Math.clamp(from - 1 + length, 0, characters.length);
        return new String(characters, 0, head) + put + new String(characters, tail, characters.length - tail);
    }

    private static byte[] overlaid(byte[] bytes, byte[] put, long from, Object[] arguments) {
        long length = arguments.length > 3 ? (Long) arguments[3] : put.length;
        int head = (int) Math.min(from - 1, bytes.length);
        int tail = Math.clamp(from - 1 + length, 0, bytes.length);
        ByteArrayOutputStream all = new ByteArrayOutputStream(bytes.length + put.length);
        all.write(bytes, 0, head);
        all.write(put, 0, put.length);
        all.write(bytes, tail, bytes.length - tail);
        return all.toByteArray();
    }
}
