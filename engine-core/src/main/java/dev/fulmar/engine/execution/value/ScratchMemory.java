package dev.fulmar.engine.execution.value;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Native memory that is handed out upwards and taken back downwards: what a statement needs while it runs. Addresses
 * stay valid until {@link #reset} goes below them.
 */
public final class ScratchMemory {
    private static final int FIRST_CHUNK_BYTES = 16 << 10;
    private static final int LARGEST_CHUNK_BYTES = 4 << 20;
    /** Bytes that stay allocated between statements. */
    private static final long KEPT_BYTES = 1 << 20;

    private final long limitBytes;
    private final List<MemorySegment> chunks = new ArrayList<>();
    /** Callbacks that give heap back with the memory. */
    private final List<Runnable> followers = new ArrayList<>();

    private long allocatedBytes;
    private int chunk = -1;
    private long next;
    private long end;
    private long firstStart;

    /** @param limitBytes what one statement may take */
    public ScratchMemory(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Address of so many bytes, aligned to 8; their content is unspecified. */
    public long allocate(long bytes) {
        long rounded = (bytes + 7) & -8L;
        long address = next;
        if (rounded > end - address) {
            return allocateElsewhere(rounded);
        }
        next = address + rounded;
        return address;
    }

    private long allocateElsewhere(long bytes) {
        while (chunk + 1 < chunks.size()) {
            enter(chunk + 1);
            if (bytes <= end - next) {
                return allocate(bytes);
            }
        }
        long size =
                Math.max(bytes, Math.min(LARGEST_CHUNK_BYTES, (long) FIRST_CHUNK_BYTES << Math.min(chunks.size(), 16)));
        if (bytes > limitBytes - allocatedBytes) {
            throw new FulmarException(
                    ErrorCode.STATEMENT_TOO_COMPLEX,
                    "the statement needs more than " + limitBytes
                            + " bytes for intermediate results; select fewer rows,"
                            + " use an index that gives the order, or raise requests.intermediate-limit");
        }
        size = Math.min(size, limitBytes - allocatedBytes);
        chunks.add(Arena.ofAuto().allocate(size, Long.BYTES));
        allocatedBytes += size;
        enter(chunks.size() - 1);
        return allocate(bytes);
    }

    private void enter(int index) {
        chunk = index;
        if (index < 0) {
            next = 0;
            end = 0;
            return;
        }
        MemorySegment segment = chunks.get(index);
        next = segment.address();
        end = (next + segment.byteSize()) & -8L;
        if (index == 0) {
            firstStart = next;
        }
    }

    /** Address of the next allocation; for {@link #reset}. */
    public long position() {
        return next;
    }

    /** Gives back what was allocated since {@link #position} gave this. */
    public void reset(long position) {
        if (chunk > 0 || position == 0) {
            resetAcrossChunks(position);
        } else {
            if (Invariants.EXPENSIVE) {
                Invariants.check(
                        chunk == 0 && position >= firstStart && position <= next,
                        "a statement gives working memory back downwards only");
            }
            next = position;
        }
    }

    private void resetAcrossChunks(long position) {
        if (position == 0) {
            enter(chunks.isEmpty() ? -1 : 0);
            return;
        }
        while (chunk > 0) {
            long start = chunks.get(chunk).address();
            if (position >= start && position <= end) {
                break;
            }
            enter(chunk - 1);
        }
        if (Invariants.EXPENSIVE) {
            Invariants.check(
                    position >= chunks.get(chunk).address() && position <= end,
                    "a statement gives working memory back to a position in its memory");
        }
        next = position;
    }

    /** Runs the task once when everything is given back: it gives up a large list on the heap of what lies here. */
    public void whenCleared(Runnable release) {
        followers.add(release);
    }

    /**
     * Gives everything back if more than the usual need is held; for the end of a statement, which may not run again
     * for long.
     */
    public void shrink() {
        if (allocatedBytes > KEPT_BYTES || !followers.isEmpty()) {
            clear();
        }
    }

    /** Gives everything back, and what is above the usual need to the system. */
    public void clear() {
        if (!followers.isEmpty()) {
            followers.forEach(Runnable::run);
            followers.clear();
        }
        if (allocatedBytes > KEPT_BYTES) {
            chunks.clear();
            allocatedBytes = 0;
            chunk = -1;
        }
        if (chunk == 0) {
            next = firstStart;
        } else {
            enter(chunks.isEmpty() ? -1 : 0);
        }
    }

    /** Bytes held from the system. */
    public long allocatedBytes() {
        return allocatedBytes;
    }
}
