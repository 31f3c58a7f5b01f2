package dev.fulmar.engine.durability;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;

/** A growing buffer to which row images are written. One thread. */
public final class ImageBuffer {
    private static final int FIRST_BYTES = 4 << 10;

    private byte[] array;
    private int length;

    /** Makes a buffer that is used again and again. */
    public ImageBuffer() {
        this(FIRST_BYTES);
    }

    /** @param firstBytes to begin with, for one that is written once and mostly small */
    public ImageBuffer(int firstBytes) {
        this.array = new byte[firstBytes];
    }

    public void clear() {
        length = 0;
    }

    public byte[] array() {
        return array;
    }

    public int length() {
        return length;
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(array, length);
    }

    public void putByte(int value) {
        makeRoom(1);
        array[length++] = (byte) value;
    }

    public void putInt(int value) {
        makeRoom(Integer.BYTES);
        LittleEndian.putInt(array, length, value);
        length += Integer.BYTES;
    }

    public void putLong(long value) {
        makeRoom(Long.BYTES);
        LittleEndian.putLong(array, length, value);
        length += Long.BYTES;
    }

    public void putBytes(byte[] source) {
        makeRoom(source.length);
        System.arraycopy(source, 0, array, length, source.length);
        length += source.length;
    }

    /** Copies native memory. */
    public void putNative(long address, int bytes) {
        makeRoom(bytes);
        OffHeap.copy(address, array, length, bytes);
        length += bytes;
    }

    /** So many zero bytes, to be filled in later with {@link #array()}; returns where they begin. */
    public int putZeros(int bytes) {
        makeRoom(bytes);
        Arrays.fill(array, length, length + bytes, (byte) 0);
        int begin = length;
        length += bytes;
        return begin;
    }

    private void makeRoom(int bytes) {
        if (bytes > array.length - length) {
            array = Arrays.copyOf(array, (int)
                    Math.max(Math.min(2L * array.length, Integer.MAX_VALUE - 8), (long) length + bytes));
        }
    }
}
