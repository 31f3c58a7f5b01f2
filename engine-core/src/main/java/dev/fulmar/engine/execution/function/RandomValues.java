package dev.fulmar.engine.execution.function;

import java.nio.ByteBuffer;
import java.util.UUID;

/** Random values of random bits. */
final class RandomValues {
    private static final int FRACTION_BITS = 53;
    private static final long VERSION_BITS = 0xf000L;
    private static final long VERSION = 0x4000L;
    private static final long VARIANT_BITS = 0xc000_0000_0000_0000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private RandomValues() {}

    /** A number of 0 to 1, without 1. */
    static Object fraction(Object[] arguments) {
        return ((Long) arguments[0] >>> (Long.SIZE - FRACTION_BITS)) * 0x1p-53;
    }

    /** A UUID of version 4. It is a digest of the bits, so nobody learns from it which bits come next. */
    static Object uuid(Object[] arguments) {
        ByteBuffer bits =
                ByteBuffer.allocate(2 * Long.BYTES).putLong((Long) arguments[0]).putLong((Long) arguments[1]);
        ByteBuffer digest = ByteBuffer.wrap(TextValues.digest("SHA-256", new Object[] {bits.array()}));
        return new UUID((digest.getLong() & ~VERSION_BITS) | VERSION, (digest.getLong() & ~VARIANT_BITS) | VARIANT);
    }
}
