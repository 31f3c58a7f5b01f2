package dev.fulmar.pmemlog.backend.llpl;

import dev.fulmar.pmemlog.backend.PersistentMemory;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Implements persistent memory by an LLPL pool: copies bytes in and out, and flushes lines. LLPL flushes and fences in
 * one, so a fence of its own has nothing left to wait for.
 */
final class LlplMemory implements PersistentMemory {
    private static final int PIECE_BYTES = 256 << 10;

    private final Object pool;
    private final AtomicLong flushedLines = new AtomicLong();
    private final AtomicLong fences = new AtomicLong();

    LlplMemory(Object pool) {
        this.pool = pool;
    }

    @Override
    public long size() {
        return LlplLibrary.size(pool);
    }

    @Override
    public void read(long offset, ByteBuffer target) {
        byte[] piece = new byte[Math.min(PIECE_BYTES, target.remaining())];
        for (long at = offset; target.hasRemaining(); ) {
            int bytes = Math.min(piece.length, target.remaining());
            LlplLibrary.copyOut(pool, at, piece, 0, bytes);
            target.put(piece, 0, bytes);
            at += bytes;
        }
    }

    @Override
    public void write(long offset, ByteBuffer source) {
        if (source.hasArray()) {
            int bytes = source.remaining();
            LlplLibrary.copyIn(pool, source.array(), source.arrayOffset() + source.position(), offset, bytes);
            source.position(source.limit());
            return;
        }
        byte[] piece = new byte[Math.min(PIECE_BYTES, source.remaining())];
        for (long at = offset; source.hasRemaining(); ) {
            int bytes = Math.min(piece.length, source.remaining());
            source.get(piece, 0, bytes);
            LlplLibrary.copyIn(pool, piece, 0, at, bytes);
            at += bytes;
        }
    }

    @Override
    public void flush(long offset, long bytes) {
        LlplLibrary.flush(pool, offset, bytes);
        long first = offset / LINE_BYTES;
        flushedLines.addAndGet((offset + bytes - 1) / LINE_BYTES - first + 1);
        fences.incrementAndGet();
    }

    @Override
    public void fence() {}

    @Override
    public long flushedLines() {
        return flushedLines.get();
    }

    @Override
    public long fences() {
        return fences.get();
    }
}
