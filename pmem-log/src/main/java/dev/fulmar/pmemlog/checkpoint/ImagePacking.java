package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.data.LittleEndian;
import java.util.Arrays;

/**
 * Images without most of their zeros. Of each eight bytes, a byte says which are not zero, and these follow. After
 * eight that are none a byte says how many times eight follow as they are; after eight zeros, how many times eight
 * zeros follow.
 */
final class ImagePacking {
    private static final int WORD = Long.BYTES;
    private static final int ALL = 0xFF;
    private static final int MOST_REPEATED = 0xFF;
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long LOW_BITS = ~HIGH_BITS;
    private static final int BITS_TO_BOTTOM = 7;

    /** Moves the lowest bit of each byte into the top byte, at the byte's place. */
    private static final long SIDE_BY_SIDE = 0x0102040810204080L;

    private static final int TOP_BYTE = Long.SIZE - Byte.SIZE;

    /** Words that have one zero at most take no more as they are. */
    private static final int LEAST_BITS = 7;

    /** By which bytes are there, these bytes' bits. */
    private static final long[] MASKS = new long[ALL + 1];

    static {
        for (int present = 0; present <= ALL; present++) {
            MASKS[present] = maskOf(Long.expand(present, HIGH_BITS));
        }
    }

    private ImagePacking() {}

    /** Bytes that packing may take, what it writes for a moment beyond its end included. */
    static int mostBytes(int imageBytes) {
        return (imageBytes / WORD + 1) * (WORD + 2) + WORD;
    }

    /** Packs the image; returns the end. */
    static int pack(byte[] image, int offset, int length, byte[] target, int at) {
        int out = at;
        int next = 0;
        while (next < length) {
            long word = word(image, offset + next, length - next);
            long marks = marksOf(word);
            int present = presentOf(marks);
            target[out++] = (byte) present;
            LittleEndian.putLong(
                    target, out, present == 0 || present == ALL ? word : Long.compress(word, maskOf(marks)));
            out += Integer.bitCount(present);
            next += WORD;
            if (present == ALL || present == 0) {
                int repeated = repeated(image, offset + next, length - next, present);
                target[out++] = (byte) repeated;
                if (present == ALL) {
                    System.arraycopy(image, offset + next, target, out, repeated * WORD);
                    out += repeated * WORD;
                }
                next += repeated * WORD;
            }
        }
        return out;
    }

    /** Whole words that follow and are as they are, or zero. */
    private static int repeated(byte[] image, int offset, int left, int present) {
        int most = Math.min(left / WORD, MOST_REPEATED);
        int count = 0;
        while (count < most) {
            int bytes = Long.bitCount(marksOf(LittleEndian.getLong(image, offset + count * WORD)));
            if (present == ALL ? bytes < LEAST_BITS : bytes > 0) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Unpacks an image of so many bytes into a target with room for whole words; returns the end of what was packed.
     */
    static int unpack(byte[] packed, int from, byte[] target, int length) {
        int in = from;
        int next = 0;
        while (next < length) {
            int present = packed[in++] & ALL;
            LittleEndian.putLong(target, next, Long.expand(word(packed, in, packed.length - in), MASKS[present]));
            in += Integer.bitCount(present);
            next += WORD;
            if (present == ALL) {
                int bytes = (packed[in++] & MOST_REPEATED) * WORD;
                System.arraycopy(packed, in, target, next, bytes);
                in += bytes;
                next += bytes;
            } else if (present == 0) {
                int bytes = (packed[in++] & MOST_REPEATED) * WORD;
                Arrays.fill(target, next, next + bytes, (byte) 0);
                next += bytes;
            }
        }
        return in;
    }

    private static long word(byte[] array, int at, int left) {
        if (left >= WORD) {
            return LittleEndian.getLong(array, at);
        }
        long word = 0;
        for (int i = 0; i < left; i++) {
            word |= (array[at + i] & 0xFFL) << (i * Byte.SIZE);
        }
        return word;
    }

    /** The highest bit of each byte that is not zero. */
    private static long marksOf(long word) {
        return (((word & LOW_BITS) + LOW_BITS) | word) & HIGH_BITS;
    }

    /** The marks side by side, that of the lowest byte in the lowest bit. */
    private static int presentOf(long marks) {
        return (int) (((marks >>> BITS_TO_BOTTOM) * SIDE_BY_SIDE) >>> TOP_BYTE);
    }

    private static long maskOf(long marks) {
        return (marks >>> BITS_TO_BOTTOM) * ALL;
    }
}
