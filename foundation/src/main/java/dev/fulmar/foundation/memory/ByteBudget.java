package dev.fulmar.foundation.memory;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limit on the bytes of requests, results and replies that a node has under way, all together. Large amounts may use
 * three quarters of it only, so that small requests are served however much the greedy ask for. Thread-safe; takes no
 * lock.
 */
public final class ByteBudget {
    /** Greatest size, in bytes, that counts as small. */
    public static final int SMALL_BYTES = 64 << 10;

    /** Of so many parts of the budget... */
    private static final int PARTS = 8;

    /** ...large amounts may use these, */
    private static final int LARGE_PARTS = 6;

    /** ...and from here on the budget is scarce. */
    private static final int SCARCE_PARTS = 5;

    private final long limitBytes;
    private final long largeLimitBytes;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final List<BudgetLease> leases = new CopyOnWriteArrayList<>();

    /** @param limitBytes at least 8 */
    public ByteBudget(long limitBytes) {
        if (limitBytes < PARTS) {
            throw new IllegalArgumentException("a budget of " + limitBytes + " bytes is none");
        }
        this.limitBytes = limitBytes;
        this.largeLimitBytes = limitBytes / PARTS * LARGE_PARTS;
    }

    /** A budget without a limit. */
    public static ByteBudget unlimited() {
        return new ByteBudget(Long.MAX_VALUE / 2);
    }

    /** Takes bytes; false if there are not so many left, and then nothing is taken. */
    public boolean take(long bytes) {
        long most = (bytes <= SMALL_BYTES ? limitBytes : largeLimitBytes) - bytes;
        long now = taken.get();
        while (now <= most) {
            long seen = taken.compareAndExchange(now, now + bytes);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    /** Takes bytes that are there already, whatever is left. */
    public void takeAlways(long bytes) {
        taken.addAndGet(bytes);
    }

    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** A part of the budget for one thread, which then need not share a counter with others for each small amount. */
    public BudgetLease lease() {
        BudgetLease lease = new BudgetLease(this);
        leases.add(lease);
        return lease;
    }

    /** Whether so much is under way that who keeps it for nothing should give it up. */
    public boolean isScarce() {
        return taken.get() > limitBytes / PARTS * SCARCE_PARTS;
    }

    /** Counts a refusal, and says what to do. */
    public FulmarException refuse() {
        refused.incrementAndGet();
        return new FulmarException(
                ErrorCode.SERVER_BUSY,
                "requests and results under way take the node's limit of " + limitBytes
                        + " bytes; ask for less at a time, or again after a moment, or raise requests.memory-limit");
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** The most that one large amount can be. */
    public long largestBytes() {
        return largeLimitBytes;
    }

    /** Bytes under way now. Bytes that threads have leased and not used do not count. */
    public long underWayBytes() {
        long unused = 0;
        for (BudgetLease lease : leases) {
            unused += lease.unusedBytes();
        }
        return Math.max(0, taken.get() - unused);
    }

    /** Requests that were refused since there was not enough left. */
    public long refused() {
        return refused.get();
    }
}
