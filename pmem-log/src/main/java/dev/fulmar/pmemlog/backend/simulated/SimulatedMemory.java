package dev.fulmar.pmemlog.backend.simulated;

import dev.fulmar.foundation.random.RandomSource;
import dev.fulmar.pmemlog.backend.PersistentMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Simulated persistent memory whose power can fail before, between and within any of the calls. It can leave out what a
 * program with a bug leaves out. For one thread at a time.
 */
public final class SimulatedMemory implements PersistentMemory {
    private static final int WORD_BYTES = 8;

    private final byte[] visible;
    private final byte[] durable;
    private final BitSet dirty = new BitSet();
    private final Map<Integer, byte[]> flushed = new TreeMap<>();
    private final RandomSource random;
    private final Set<Bug> bugs = EnumSet.noneOf(Bug.class);
    private long crashAtPoint = Long.MAX_VALUE;
    private long points;
    private boolean isDown;
    private long flushedLines;
    private long fences;

    /** Planted bugs: steps that a program forgets. */
    public enum Bug {
        FLUSHES_ARE_SKIPPED,
        FENCES_ARE_SKIPPED
    }

    /** The power failed. */
    public static final class PowerFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PowerFailure(long point) {
            super("power failure at point " + point);
        }
    }

    public SimulatedMemory(int bytes, RandomSource random) {
        this.visible = new byte[bytes];
        this.durable = new byte[bytes];
        this.random = random;
    }

    /** Leaves out, from now on, what the bugs say. */
    public void plant(Set<Bug> planted) {
        bugs.addAll(planted);
    }

    /** Makes the power fail so many points from now. */
    public void failAfter(long morePoints) {
        crashAtPoint = points + morePoints;
    }

    /** Points passed so far. */
    public long points() {
        return points;
    }

    /** Loses what is not durable, or a part of it, and goes on with the rest. */
    public void restart() {
        for (int line = dirty.nextSetBit(0); line >= 0; line = dirty.nextSetBit(line + 1)) {
            byte[] sent = flushed.get(line);
            int fate = random.nextInt(4);
            for (int at = line * LINE_BYTES; at < (line + 1) * LINE_BYTES; at += WORD_BYTES) {
                int from = fate < 3 ? fate : random.nextInt(3);
                if (from == 1) {
                    System.arraycopy(visible, at, durable, at, WORD_BYTES);
                } else if (from == 2 && sent != null) {
                    System.arraycopy(sent, at % LINE_BYTES, durable, at, WORD_BYTES);
                }
            }
        }
        dirty.clear();
        flushed.clear();
        System.arraycopy(durable, 0, visible, 0, durable.length);
        isDown = false;
        crashAtPoint = Long.MAX_VALUE;
    }

    /** Flips a bit, as a failing medium does. */
    public void flipBit(int offset, int bit) {
        visible[offset] ^= (byte) (1 << bit);
        durable[offset] ^= (byte) (1 << bit);
    }

    private void point() {
        points++;
        if (isDown || points >= crashAtPoint) {
            isDown = true;
            throw new PowerFailure(points);
        }
    }

    @Override
    public long size() {
        return visible.length;
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        if (isDown) {
            throw new PowerFailure(points);
        }
        target.put(visible, (int) offset, target.remaining());
    }

    @Override
    public void write(long offset, ByteBuffer source) {
        point();
        int begin = (int) offset;
        int bytes = source.remaining();
        dirty.set(begin / LINE_BYTES, (begin + bytes + LINE_BYTES - 1) / LINE_BYTES);
        source.get(visible, begin, bytes);
        point();
    }

    @Override
    public void flush(long offset, long bytes) {
        point();
        int end = (int) (offset + bytes + LINE_BYTES - 1) / LINE_BYTES;
        for (int line = (int) offset / LINE_BYTES; line < end; line++) {
            flushedLines++;
            if (dirty.get(line) && !bugs.contains(Bug.FLUSHES_ARE_SKIPPED)) {
                flushed.put(line, Arrays.copyOfRange(visible, line * LINE_BYTES, (line + 1) * LINE_BYTES));
            }
        }
        point();
    }

    @Override
    public void fence() {
        point();
        fences++;
        if (!bugs.contains(Bug.FENCES_ARE_SKIPPED)) {
            flushed.forEach((line, content) -> {
                int at = line * LINE_BYTES;
                System.arraycopy(content, 0, durable, at, LINE_BYTES);
                if (Arrays.equals(durable, at, at + LINE_BYTES, visible, at, at + LINE_BYTES)) {
                    dirty.clear(line);
                }
            });
            flushed.clear();
        }
        point();
    }

    @Override
    public long flushedLines() {
        return flushedLines;
    }

    @Override
    public long fences() {
        return fences;
    }
}
