package dev.fulmar.engine.execution.operator;

import dev.fulmar.engine.execution.expression.BytesEvaluator;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.Nulls;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import java.math.BigInteger;

/**
 * Count, sum and sum of squares of exact numbers of up to 128 bits, in native memory: no number of them overflows. A
 * state of an {@link Accumulator} has their address as its second word. The words are the count, the scale of the
 * numbers, the sum (signed) and the squares, each with its least word first.
 *
 * <p>Invariant: a block that a copy of the state knows is not changed any more; {@link #detach} says so.
 */
final class ExactMoments {
    private static final int SCALE = 8;
    private static final int SUM = 16;
    private static final int SUM_WORDS = 3;
    private static final int SQUARES = SUM + SUM_WORDS * Long.BYTES;
    private static final int SQUARES_WORDS = 5;
    static final int BYTES = SQUARES + SQUARES_WORDS * Long.BYTES;

    private ExactMoments() {}

    /** The address of the state's own block, which is made if there is none, and copied if a copy knows it. */
    static long own(long state, int scale, ScratchMemory memory) {
        long block = OffHeap.getLong(state + Accumulators.FIRST);
        if (block != 0 && OffHeap.getLong(state + Accumulators.SECOND) == 0) {
            return block;
        }
        long made = memory.allocate(BYTES);
        if (block == 0) {
            OffHeap.fill(made, BYTES, (byte) 0);
            OffHeap.putLong(made + SCALE, scale);
        } else {
            OffHeap.copy(block, made, BYTES);
        }
        OffHeap.putLong(state + Accumulators.FIRST, made);
        OffHeap.putLong(state + Accumulators.SECOND, 0);
        return made;
    }

    static void detach(long state) {
        OffHeap.putLong(state + Accumulators.SECOND, 1);
    }

    static long count(long block) {
        return OffHeap.getLong(block);
    }

    static int scale(long block) {
        return (int) OffHeap.getLong(block + SCALE);
    }

    static BigInteger sum(long block) {
        return number(block + SUM, SUM_WORDS);
    }

    static BigInteger squares(long block) {
        return number(block + SQUARES, SQUARES_WORDS);
    }

    private static BigInteger number(long address, int words) {
        byte[] bytes = new byte[words * Long.BYTES];
        for (int i = 0; i < bytes.length; i++) {
            long word = OffHeap.getLong(address + (long) (i / Long.BYTES) * Long.BYTES);
            bytes[bytes.length - 1 - i] = (byte) (word >> (Byte.SIZE * (i % Long.BYTES)));
        }
        return new BigInteger(bytes);
    }

    /** Takes the number of two words in. */
    static void add(long block, long high, long low) {
        OffHeap.putLong(block, OffHeap.getLong(block) + 1);
        long sign = high >> 63;
        long carry = addWord(block + SUM, low, 0);
        carry = addWord(block + SUM + 8, high, carry);
        addWord(block + SUM + 16, sign, carry);
        long least = (low ^ sign) - sign;
        long most = (high ^ sign) + (sign != 0 && low == 0 ? 1 : 0);
        square(block + SQUARES, most, least);
    }

    /** Adds the square of an unsigned number: most² at two words, twice most * least at one, least² at none. */
    private static void square(long squares, long most, long least) {
        long carry = addWord(squares, least * least, 0);
        carry = addWord(squares + 8, Math.unsignedMultiplyHigh(least, least), carry);
        carryOn(squares, 2, carry);
        if (most != 0) {
            for (int i = 0; i < 2; i++) {
                carry = addWord(squares + 8, most * least, 0);
                carry = addWord(squares + 16, Math.unsignedMultiplyHigh(most, least), carry);
                carryOn(squares, 3, carry);
            }
            carry = addWord(squares + 16, most * most, 0);
            carry = addWord(squares + 24, Math.unsignedMultiplyHigh(most, most), carry);
            carryOn(squares, 4, carry);
        }
    }

    private static void carryOn(long number, int word, long carry) {
        long left = carry;
        for (int i = word; left != 0 && i < SQUARES_WORDS; i++) {
            left = addWord(number + i * (long) Long.BYTES, 0, left);
        }
    }

    /** Adds to one word; yields the carry. */
    private static long addWord(long address, long value, long carry) {
        long before = OffHeap.getLong(address);
        long sum = before + value;
        long after = sum + carry;
        OffHeap.putLong(address, after);
        return (Long.compareUnsigned(sum, before) < 0 ? 1L : 0L) + (Long.compareUnsigned(after, sum) < 0 ? 1L : 0L);
    }

    /** Takes in what another block has. */
    static void addAll(long block, long other) {
        OffHeap.putLong(block, OffHeap.getLong(block) + OffHeap.getLong(other));
        addWords(block + SUM, other + SUM, SUM_WORDS);
        addWords(block + SQUARES, other + SQUARES, SQUARES_WORDS);
    }

    private static void addWords(long number, long other, int words) {
        long carry = 0;
        for (int i = 0; i < words; i++) {
            long at = i * (long) Long.BYTES;
            carry = addWord(number + at, OffHeap.getLong(other + at), carry);
        }
    }

    /** The block as bytes; null of no numbers. */
    static Evaluator bytes(int source, int offset) {
        BytesEvaluator block = frame -> {
            frame.isNull = false;
            frame.bytesAddress = OffHeap.getLong(frame.rows[source] + offset + Accumulators.FIRST);
            frame.bytesLength = BYTES;
        };
        return Nulls.unless(block, frame -> Accumulators.count(frame, source, offset) == 0);
    }
}
