package dev.fulmar.foundation.simulated;

import dev.fulmar.foundation.random.RandomSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A file's content as processes see it, the content that is durable, and the changes between the two. */
final class SimulatedFile {
    private static final int SECTOR_BYTES = 512;
    private static final int MAX_FILE_BYTES = 1 << 30;

    /** Devices write so many bytes at once or not at all. */
    private static final int ATOMIC_BYTES = 8;

    private final Content visible = new Content();
    private final Content durable = new Content();
    private final List<Change> unforced = new ArrayList<>();

    SimulatedFile() {}

    /** A file with the same content, durable and not. */
    SimulatedFile(SimulatedFile other) {
        visible.become(other.visible);
        durable.become(other.durable);
        unforced.addAll(other.unforced);
    }

    /** A change since the last force. */
    private sealed interface Change {
        /**
         * A forced one is durable already and is kept only because an earlier change, which is not, must not overwrite
         * it.
         */
        record Write(int position, byte[] bytes, boolean forced) implements Change {}

        record Truncate(int size) implements Change {}
    }

    /** Bytes that grow. */
    private static final class Content {
        private byte[] bytes = {};
        private int size;

        void write(int position, byte[] source, int offset, int length) {
            int end = position + length;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, bytes.length * 2));
            }
            System.arraycopy(source, offset, bytes, position, length);
            size = Math.max(size, end);
        }

        void truncate(int newSize) {
            if (newSize < size) {
                Arrays.fill(bytes, newSize, size, (byte) 0);
                size = newSize;
            }
        }

        void become(Content other) {
            bytes = Arrays.copyOf(other.bytes, other.size);
            size = other.size;
        }
    }

    int size() {
        return visible.size;
    }

    byte[] visibleBytes() {
        return Arrays.copyOf(visible.bytes, visible.size);
    }

    int read(long position, ByteBuffer target) {
        if (position >= visible.size) {
            return 0;
        }
        int count = Math.min(target.remaining(), visible.size - (int) position);
        target.put(visible.bytes, (int) position, count);
        return count;
    }

    void write(long position, ByteBuffer source) throws IOException {
        unforced.add(new Change.Write((int) position, apply(position, source), false));
    }

    /** Writes bytes that no crash can take back. Earlier writes stay as they are. */
    void writeDurably(long position, ByteBuffer source) throws IOException {
        byte[] bytes = apply(position, source);
        if (unforced.isEmpty()) {
            durable.write((int) position, bytes, 0, bytes.length);
        } else {
            unforced.add(new Change.Write((int) position, bytes, true));
        }
    }

    /** Writes bytes; returns what makes them durable, and only them. */
    Runnable writeLate(long position, ByteBuffer source) throws IOException {
        Change.Write write = new Change.Write((int) position, apply(position, source), false);
        unforced.add(write);
        return () -> {
            int place = unforced.indexOf(write);
            if (place > 0) {
                unforced.set(place, new Change.Write(write.position, write.bytes, true));
                return;
            }
            makeDurable(write); // a force that is under way may have it too, in its order
            if (place == 0) {
                unforced.removeFirst();
            }
        };
    }

    private byte[] apply(long position, ByteBuffer source) throws IOException {
        if (position < 0 || position + source.remaining() > MAX_FILE_BYTES) {
            throw new IOException("a simulated file holds at most " + MAX_FILE_BYTES + " bytes");
        }
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        visible.write((int) position, bytes, 0, bytes.length);
        return bytes;
    }

    void truncate(long size) {
        if (size < visible.size) {
            visible.truncate((int) size);
            unforced.add(new Change.Truncate((int) size));
        }
    }

    /** Returns what makes everything durable that was done until now. */
    Runnable force() {
        List<Change> forced = List.copyOf(unforced);
        unforced.clear();
        return () -> forced.forEach(this::makeDurable);
    }

    private void makeDurable(Change change) {
        switch (change) {
            case Change.Write write -> durable.write(write.position, write.bytes, 0, write.bytes.length);
            case Change.Truncate truncate -> durable.truncate(truncate.size);
        }
    }

    /** A crash takes all that is not durable. */
    void forget() {
        for (Change change : unforced) {
            if (change instanceof Change.Write write && write.forced) {
                makeDurable(write);
            }
        }
        unforced.clear();
        visible.become(durable);
    }

    /** Keeps what was forced, and of the rest what chance lets through: whole sectors, some torn, in any order. */
    void crash(RandomSource random) {
        for (Change change : unforced) {
            switch (change) {
                case Change.Write write
                when write.forced -> durable.write(write.position, write.bytes, 0, write.bytes.length);
                case Change.Write write -> crashWrite(write, random);
                case Change.Truncate truncate -> {
                    if (random.nextInt(2) == 0) {
                        durable.truncate(truncate.size);
                    }
                }
            }
        }
        unforced.clear();
        visible.become(durable);
    }

    private void crashWrite(Change.Write write, RandomSource random) {
        int fate = random.nextInt(4);
        for (int offset = 0; offset < write.bytes.length; ) {
            int position = write.position + offset;
            int length = Math.min(SECTOR_BYTES - position % SECTOR_BYTES, write.bytes.length - offset);
            int kept = switch (fate) {
                case 0 -> 0;
                case 1 -> length;
                default ->
                    switch (random.nextInt(5)) {
                        case 0, 1 -> 0;
                        case 2, 3 -> length;
                        default -> random.nextInt(length + 1) / ATOMIC_BYTES * ATOMIC_BYTES;
                    };
            };
            if (kept > 0) {
                durable.write(position, write.bytes, offset, kept);
            }
            offset += length;
        }
    }

    /** Flips a bit where it is stored. */
    void flipBit(int position, int bit) {
        if (position < durable.size) {
            durable.bytes[position] ^= (byte) (1 << bit);
        }
        if (position < visible.size) {
            visible.bytes[position] ^= (byte) (1 << bit);
        }
    }
}
