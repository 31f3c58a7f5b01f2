package dev.fulmar.coordinator.durability.log;

import dev.fulmar.coordinator.replication.ReadableLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.pmemlog.record.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Memory of a stream's newest log records, from which a primary sends them to other copies. A record is copied into it
 * once, with the bytes that it has in the log; views of these are sent. It is bounded for records that all copies in
 * sync have. The others stay, or a commit of many records would make its own copies rebuild. {@link #isTight} keeps
 * further ones from beginning meanwhile. One thread.
 */
public final class RecordMemory implements ReadableLog {
    private static final int MOST_CHUNK_BYTES = 256 << 10;
    private static final int LEAST_CHUNKS = 8;

    /** Records that are held for a copy that is being built may take so many times what others may. */
    private static final int HELD_TIMES = 8;

    private static final class Chunk {
        private final byte[] bytes;
        private long begin;
        private long end;
        private int length;

        private Chunk(byte[] bytes) {
            this.bytes = bytes;
        }
    }

    private final long maxBytes;
    private final int chunkBytes;
    private final List<Chunk> chunks = new ArrayList<>();
    private final TreeMap<Long, Integer> holds = new TreeMap<>();
    private long heldBytes;
    private long end;
    private long safeEnd = Long.MAX_VALUE;
    private @Nullable Chunk spare;

    /** The range that was asked for last: the next one begins where it begins, or where it ends. */
    private @Nullable Chunk knownChunk;

    private long knownBegin;
    private int knownBeginOffset;
    private long knownEnd;
    private int knownEndOffset;

    /**
     * @param end position behind the last record that is not here
     * @param maxBytes what it may keep; beyond, the oldest records go, all of which count as safe until {@link #safe}
     */
    public RecordMemory(long end, long maxBytes) {
        this.end = end;
        this.maxBytes = maxBytes;
        this.chunkBytes = Math.clamp(maxBytes / LEAST_CHUNKS, 1, MOST_CHUNK_BYTES);
    }

    /** Position of the oldest record that is here. */
    public long begin() {
        return chunks.isEmpty() ? end : chunks.getFirst().begin;
    }

    /** Position behind the last record. */
    public long end() {
        return end;
    }

    /** Adds the stream's next record, padding included. */
    public void add(byte[] array, int offset, int bytes) {
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    knownChunk == null || knownEnd <= end,
                    "the places of records that a log remembers lie before its end");
        }
        Chunk last = chunks.isEmpty() ? null : chunks.getLast();
        if (last == null || last.length + bytes > last.bytes.length) {
            last = newChunk(bytes);
        }
        System.arraycopy(array, offset, last.bytes, last.length, bytes);
        last.length += bytes;
        end++;
        last.end = end;
    }

    private Chunk newChunk(int bytes) {
        Chunk chunk = spare;
        spare = null;
        if (chunk == null || bytes > chunk.bytes.length) {
            chunk = new Chunk(new byte[Math.max(chunkBytes, bytes)]);
        }
        chunk.begin = end;
        chunk.end = end;
        chunk.length = 0;
        heldBytes += chunk.bytes.length;
        chunks.add(chunk);
        trim();
        return chunk;
    }

    /** All copies in sync have the records before the position: only those may go. */
    public void safe(long position) {
        Invariants.check(position <= end, "a copy has what its log has in memory");
        safeEnd = position;
    }

    /** Gives back the memory of records that need not stay. None of them may be about to be sent. */
    public void trim() {
        while (heldBytes > maxBytes && chunks.size() > 1 && mayGo(chunks.getFirst())) {
            Chunk oldest = chunks.removeFirst();
            heldBytes -= oldest.bytes.length;
            spare = oldest.bytes.length == chunkBytes ? oldest : null;
            knownChunk = oldest == knownChunk ? null : knownChunk;
        }
        if (Invariants.EXPENSIVE) {
            checkChunks();
        }
    }

    private void checkChunks() {
        long next = begin();
        long bytes = 0;
        for (Chunk chunk : chunks) {
            Invariants.check(chunk.begin == next && chunk.end >= next, "a log's records in memory follow each other");
            next = chunk.end;
            bytes += chunk.bytes.length;
        }
        Invariants.check(next == end, "a log's records in memory go up to its end");
        Invariants.check(bytes == heldBytes, "a log's memory takes what its records take");
    }

    private boolean mayGo(Chunk oldest) {
        boolean isHeld = !holds.isEmpty() && oldest.end > holds.firstKey() && heldBytes <= HELD_TIMES * maxBytes;
        return oldest.end <= safeEnd && !isHeld;
    }

    /**
     * Keeps the records from the position on, as far as the memory for that goes; for each call one {@link #release}.
     */
    public void hold(long position) {
        holds.merge(position, 1, Integer::sum);
    }

    public void release(long position) {
        Invariants.check(holds.containsKey(position), "a log lets go of records as often as it holds them");
        holds.computeIfPresent(position, (key, count) -> count > 1 ? count - 1 : null);
    }

    /** Forgets everything: the stream goes on from the position. */
    public void restart(long newEnd) {
        chunks.clear();
        heldBytes = 0;
        knownChunk = null;
        end = newEnd;
    }

    /** Forgets the records from the position on. */
    public void goBack(long to) {
        Invariants.check(to <= end, "a log in memory goes back to records that it had");
        knownChunk = null;
        spare = null;
        while (!chunks.isEmpty() && chunks.getLast().begin >= to) {
            heldBytes -= chunks.removeLast().bytes.length;
        }
        if (!chunks.isEmpty() && chunks.getLast().end > to) {
            Chunk last = chunks.getLast();
            last.length = offset(last, to);
            last.end = to;
        }
        end = to;
    }

    /** Whether the next records would cost some that are not safe yet. */
    public boolean isTight(long safeEnd) {
        if (heldBytes + chunkBytes <= maxBytes) {
            return false;
        }
        long unsafeBytes = 0;
        for (int i = chunks.size() - 1; i >= 0 && chunks.get(i).end > safeEnd; i--) {
            unsafeBytes += chunks.get(i).bytes.length;
        }
        return unsafeBytes + chunkBytes > maxBytes;
    }

    private @Nullable Chunk chunkOf(long position) {
        for (int i = chunks.size() - 1; i >= 0; i--) {
            Chunk chunk = chunks.get(i);
            if (position >= chunk.begin) {
                return position < chunk.end ? chunk : null;
            }
        }
        return null;
    }

    @Override
    public long reach(long begin, long upTo) {
        Chunk chunk = chunkOf(begin);
        return chunk == null ? GONE : Math.min(chunk.end, upTo);
    }

    /** A view of the records of a range that {@link #reach} gave. */
    public ByteBuffer records(long begin, long upTo) {
        Chunk chunk = chunkOf(begin);
        if (chunk == null) {
            throw Invariants.breach("records are asked for where they were said to be");
        }
        Invariants.check(upTo <= chunk.end, "a log's records are asked for as far as they were said to reach");
        int from = offset(chunk, begin);
        int to = upTo == chunk.end ? chunk.length : offset(chunk, upTo);
        knownChunk = chunk;
        knownBegin = begin;
        knownBeginOffset = from;
        knownEnd = upTo;
        knownEndOffset = to;
        return ByteBuffer.wrap(chunk.bytes, from, to - from);
    }

    private int offset(Chunk chunk, long position) {
        long at = chunk.begin;
        int offset = 0;
        if (chunk == knownChunk && position >= knownEnd) {
            at = knownEnd;
            offset = knownEndOffset;
        } else if (chunk == knownChunk && position >= knownBegin) {
            at = knownBegin;
            offset = knownBeginOffset;
        }
        for (; at < position; at++) {
            offset += RecordFormat.storedBytesAt(chunk.bytes, offset);
        }
        return offset;
    }
}
