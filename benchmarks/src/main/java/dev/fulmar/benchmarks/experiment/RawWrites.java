package dev.fulmar.benchmarks.experiment;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Speed of the device alone: synchronous writes of one block each into a file that was filled before, as a log's are.
 * One thread.
 */
final class RawWrites implements AutoCloseable {
    private static final int FILE_BYTES = 64 << 20;
    private static final int PIECE_BYTES = 64 << 10;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final StorageFile file;
    private final ByteBuffer block;
    private int offset;

    RawWrites(Storage storage, String name, int blockBytes) throws IOException {
        try (StorageFile filled = storage.open(name)) {
            for (int at = 0; at < FILE_BYTES; at += PIECE_BYTES) {
                filled.write(at, ByteBuffer.allocate(PIECE_BYTES));
            }
            filled.force();
        }
        file = storage.openSynchronous(name);
        block = ByteBuffer.allocateDirect(blockBytes);
        for (int i = 0; i < blockBytes; i++) {
            block.put(i, (byte) i);
        }
    }

    /** Latencies of writes in nanoseconds, over so many nanoseconds, with a pause after each write. */
    Histogram measure(long durationNanos, long pauseNanos) throws IOException {
        Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
        long begin = System.nanoTime();
        long now = begin;
        while (now - begin < durationNanos) {
            block.putLong(0, now);
            long before = System.nanoTime();
            file.write(offset, block.clear());
            now = System.nanoTime();
            nanos.recordValue(now - before);
            offset = offset + 2 * block.capacity() > FILE_BYTES ? 0 : offset + block.capacity();
            if (pauseNanos > 0) {
                LockSupport.parkNanos(pauseNanos);
                now = System.nanoTime();
            }
        }
        return nanos;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
