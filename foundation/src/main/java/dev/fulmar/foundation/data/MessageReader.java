package dev.fulmar.foundation.data;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.ToIntFunction;

/**
 * Reader of the fields of a message or a stored record, in the buffer's byte order. Each field is checked before
 * anything is made from it: bytes that are too few are a {@link BufferUnderflowException}, others an
 * {@link IllegalArgumentException} with the reason. {@link MessageForm} turns both into one error.
 */
public final class MessageReader {
    private final ByteBuffer in;

    MessageReader(ByteBuffer in) {
        this.in = in;
    }

    public byte getByte() {
        return in.get();
    }

    public int getInt() {
        return in.getInt();
    }

    public long getLong() {
        return in.getLong();
    }

    public int remaining() {
        return in.remaining();
    }

    /** A byte that is 0 or 1. */
    public boolean flag() {
        byte flag = in.get();
        if (flag != 0 && flag != 1) {
            throw new IllegalArgumentException("flag " + flag);
        }
        return flag == 1;
    }

    /** An integer of 32 bits that is not negative. */
    public int natural() {
        int number = in.getInt();
        if (number < 0) {
            throw new IllegalArgumentException("number " + number);
        }
        return number;
    }

    /** An integer of 64 bits that is not negative, such as a timestamp or a position. */
    public long naturalLong() {
        long number = in.getLong();
        if (number < 0) {
            throw new IllegalArgumentException("number " + number);
        }
        return number;
    }

    /** The size of a list in 32 bits, of which the rest of the bytes has room for all elements. */
    public int count(int leastBytesOfElement) {
        int count = natural();
        if (count > in.remaining() / leastBytesOfElement) {
            throw new IllegalArgumentException(count + " elements");
        }
        return count;
    }

    /** Bytes behind their length in 32 bits. */
    public byte[] bytes() {
        int length = natural();
        if (length > in.remaining()) {
            throw new IllegalArgumentException(length + " bytes where " + in.remaining() + " are left");
        }
        return take(length);
    }

    /** All bytes that are left. */
    public byte[] rest() {
        return take(in.remaining());
    }

    private byte[] take(int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    /** A text in UTF-8 behind its length in 32 bits. */
    public String text() {
        return decode(bytes());
    }

    /** All bytes that are left, as a text in UTF-8. */
    public String restAsText() {
        return decode(rest());
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a text that is not UTF-8", e);
        }
    }

    /** The constant whose number the next byte is. */
    public <E extends Enum<E>> E constant(E[] all, ToIntFunction<E> numberOf) {
        byte number = in.get();
        for (E constant : all) {
            if (numberOf.applyAsInt(constant) == number) {
                return constant;
            }
        }
        throw new IllegalArgumentException(all[0].getDeclaringClass().getSimpleName() + " " + number + " is unknown");
    }

    /** Refuses a kind that the form does not have. */
    public static IllegalArgumentException unknownKind(int kind) {
        return new IllegalArgumentException("kind " + kind);
    }
}
