package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The budget of the node's off-heap memory: how much is in use, and how much may be. Work that adds rows gets memory
 * only up to a mark below the limit, so that there is some for deleting and reading. Thread-safe; touched once per
 * chunk, not per row.
 */
public final class MemoryBudget {
    private final long limitBytes;
    private final String limitSetting;
    private final long markBytes;
    private final String markSetting;
    private final AtomicLong usedBytes = new AtomicLong();
    private final AtomicInteger lifted = new AtomicInteger();

    /** @param limitSetting name of the configuration setting that raises the limit, for the message */
    public MemoryBudget(long limitBytes, String limitSetting) {
        this(limitBytes, limitSetting, limitBytes, limitSetting);
    }

    /**
     * With a mark.
     *
     * @param markSetting name of the setting that moves the mark, for the message
     */
    public MemoryBudget(long limitBytes, String limitSetting, long markBytes, String markSetting) {
        this.limitBytes = limitBytes;
        this.limitSetting = limitSetting;
        this.markBytes = markBytes;
        this.markSetting = markSetting;
    }

    /**
     * Takes bytes, or fails with {@link ErrorCode#MEMORY_LIMIT} and takes nothing.
     *
     * @param isForMoreRows whether the mark counts rather than the limit
     */
    public void reserve(long bytes, boolean isForMoreRows) {
        long used = usedBytes.addAndGet(bytes);
        if (isForMoreRows && used > markBytes && used <= limitBytes && lifted.get() == 0) {
            usedBytes.addAndGet(-bytes);
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the data has all of the memory that writes may take, " + markBytes + " of the " + limitBytes
                            + " bytes of " + limitSetting + "; deletes and reads go on: delete data, add nodes, raise "
                            + limitSetting + ", or move the mark with " + markSetting);
        }
        if (used > limitBytes && lifted.get() == 0) {
            usedBytes.addAndGet(-bytes);
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the data would need " + used + " bytes of memory but the limit is " + limitBytes
                            + " bytes; delete data, add nodes, or raise " + limitSetting);
        }
    }

    /** Lifts the limit until {@link #enforce} is called as often: data that is there already must fit. */
    public void lift() {
        lifted.incrementAndGet();
    }

    /** Ends a {@link #lift}. What is in use stays, even if it is above the limit. */
    public void enforce() {
        Invariants.check(lifted.decrementAndGet() >= 0, "a limit is lifted before it is enforced again");
    }

    public void release(long bytes) {
        long used = usedBytes.addAndGet(-bytes);
        Invariants.check(used >= 0, "memory that is released was reserved");
    }

    public long usedBytes() {
        return usedBytes.get();
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** Up to where writes get memory. */
    public long markBytes() {
        return markBytes;
    }
}
