package dev.fulmar.node.server;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.memory.BudgetLease;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of one connection in the node's budget: the arriving frame, its requests with their results, and replies that
 * its client has not read. A request holds a little from its beginning to its answer, which is all for most; what is
 * large is held beside it by its id, and goes with the answer, for every request has one. On the event loop, but for
 * {@link #reserve}.
 */
final class MemoryUse {
    /** A request with small parameters and a small result takes about so much on the heap. */
    static final int REQUEST_BYTES = ResponseSink.FREE_BYTES;

    private final ByteBudget budget;
    private final BudgetLease lease;
    private final ConcurrentHashMap<Long, Long> large = new ConcurrentHashMap<>();
    private long frameBytes;
    private long waitingBytes;

    MemoryUse(ByteBudget budget, BudgetLease lease) {
        this.budget = budget;
        this.lease = lease;
    }

    /** Makes room for a whole frame that has begun to arrive; false if there is none now. */
    boolean begins(int bytes) {
        if (frameBytes == 0 && bytes > ByteBudget.SMALL_BYTES) {
            if (!budget.take(bytes)) {
                return false;
            }
            frameBytes = bytes;
        }
        return true;
    }

    /** The frame that had room is here, or will never be. What it held that no request took over is given back. */
    void frameEnded() {
        if (frameBytes > 0) {
            budget.giveBack(frameBytes);
            frameBytes = 0;
        }
    }

    boolean hasFrame() {
        return frameBytes > 0;
    }

    /**
     * Makes room for a request that is to be executed; false if there is none, and then it is to be refused.
     *
     * @param bytes of its parameters and text
     * @param always whether it is executed whatever is left
     */
    boolean admit(long requestId, int bytes, boolean always) {
        if (!take(always)) {
            return false;
        }
        if (bytes > REQUEST_BYTES && !admitLarge(requestId, bytes, always)) {
            lease.giveBack(REQUEST_BYTES);
            return false;
        }
        return true;
    }

    private boolean take(boolean always) {
        if (always) {
            lease.takeAlways(REQUEST_BYTES);
            return true;
        }
        return lease.take(REQUEST_BYTES);
    }

    /** Two requests of one id could not be told apart: the first answer would give back what both hold. */
    private boolean admitLarge(long requestId, int bytes, boolean always) {
        if (large.containsKey(requestId)) {
            return false;
        }
        if (frameBytes >= bytes) { // the frame's room becomes the request's
            frameBytes -= bytes;
        } else if (always) {
            budget.takeAlways(bytes);
        } else if (!budget.take(bytes)) {
            return false;
        }
        large.merge(requestId, (long) bytes, Long::sum);
        return true;
    }

    /** The error for a request that was not admitted. */
    FulmarException refusal(long requestId) {
        return large.containsKey(requestId)
                ? new FulmarException(
                        ErrorCode.SERVER_BUSY,
                        "a call with the number " + requestId
                                + " is under way on this connection already, and this one has"
                                + " large parameters; give each call a number of its own")
                : budget.refuse();
    }

    /** Makes room for results of a request that is not answered. Any thread. */
    boolean reserve(long requestId, long bytes) {
        boolean isThere = budget.take(bytes);
        if (isThere) {
            large.merge(requestId, bytes, Long::sum);
        }
        return isThere;
    }

    /** Accounts results without reserved room, which come from elsewhere. Any thread. */
    void arrived(long requestId, long bytes) {
        if (bytes > REQUEST_BYTES && !large.containsKey(requestId)) {
            budget.takeAlways(bytes);
            large.merge(requestId, bytes, Long::sum);
        }
    }

    /** A request has its answer, whose bytes are counted elsewhere from now on, or dropped. */
    void answered(long requestId) {
        if (!large.isEmpty()) {
            Long bytes = large.remove(requestId);
            if (bytes != null) {
                budget.giveBack(bytes);
            }
        }
    }

    /** So many requests hold their little no more. */
    void answered(int count) {
        lease.giveBack(count * REQUEST_BYTES);
    }

    /** Sets the bytes that wait to be written. */
    void waits(long bytes) {
        if (bytes > waitingBytes) {
            budget.takeAlways(bytes - waitingBytes);
        } else if (bytes < waitingBytes) {
            budget.giveBack(waitingBytes - bytes);
        }
        waitingBytes = bytes;
    }

    long waitingBytes() {
        return waitingBytes;
    }
}
