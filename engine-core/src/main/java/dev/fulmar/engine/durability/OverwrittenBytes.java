package dev.fulmar.engine.durability;

import dev.fulmar.engine.memory.OffHeap;

/** Reads undo records of kind BYTES, which save bytes that were overwritten in place. */
final class OverwrittenBytes {
    private static final int LENGTH_OFFSET = 8;
    private static final int BYTES_OFFSET = 16;

    private OverwrittenBytes() {}

    /** Puts what the record saved into a copy of the memory at the address, as far as they overlap. */
    static void restore(long payload, long address, byte[] copy, int offset, int length) {
        long savedAt = OffHeap.getLong(payload);
        long begin = Math.max(savedAt, address);
        long end = Math.min(savedAt + OffHeap.getInt(payload + LENGTH_OFFSET), address + length);
        if (begin < end) {
            OffHeap.copy(payload + BYTES_OFFSET + (begin - savedAt), copy, offset + (int) (begin - address), (int)
                    (end - begin));
        }
    }
}
