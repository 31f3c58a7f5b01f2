package dev.fulmar.engine.memory;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicLong;

/** The node's off-heap memory: what is in use and how much may be. Thread-safe; touched once per chunk, not per row. */
public final class MemoryBudget {
    private final long limitBytes;
    private final String limitSetting;
    private final AtomicLong usedBytes = new AtomicLong();

    /** @param limitSetting name of the configuration setting that raises the limit, for the message */
    public MemoryBudget(long limitBytes, String limitSetting) {
        this.limitBytes = limitBytes;
        this.limitSetting = limitSetting;
    }

    /** Takes bytes, or fails with {@link ErrorCode#MEMORY_LIMIT} and takes nothing. */
    public void reserve(long bytes) {
        long used = usedBytes.addAndGet(bytes);
        if (used > limitBytes) {
            usedBytes.addAndGet(-bytes);
            throw new FulmarException(
                    ErrorCode.MEMORY_LIMIT,
                    "the data would need " + used + " bytes of memory but the limit is " + limitBytes
                            + " bytes; delete data, add nodes, or raise " + limitSetting);
        }
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
}
