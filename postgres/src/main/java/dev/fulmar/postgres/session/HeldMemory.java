package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of the node's budget that a session holds. It is for results on their way, for those that wait for the client,
 * and for long texts and parameters. Invariant: each byte has one owner, which gives it back once. On the session's
 * thread, but for {@link #reserve}.
 */
final class HeldMemory {
    private final ByteBudget budget;

    /** Taken for answers that have not come. */
    private final AtomicLong reserved = new AtomicLong();

    private long owned;
    private volatile boolean isOver;

    HeldMemory(ByteBudget budget) {
        this.budget = budget;
    }

    /** Takes memory for an answer; false if there is not so much left. Any thread. */
    boolean reserve(long bytes) {
        if (!budget.take(bytes)) {
            return false;
        }
        reserved.addAndGet(bytes);
        if (isOver) {
            giveBackReserved(); // the session has left, perhaps between the two
            return false;
        }
        return true;
    }

    /** Gives the answer that has come the memory that was reserved for it; returns the bytes. */
    long claim() {
        long bytes = reserved.getAndSet(0);
        owned += bytes;
        return bytes;
    }

    /**
     * Takes memory for what the client wants kept; returns the bytes, which are 0 for little.
     *
     * @throws dev.fulmar.foundation.error.FulmarException if there is not so much left
     */
    long hold(long bytes) {
        if (bytes <= ResponseSink.FREE_BYTES) {
            return 0;
        }
        if (!budget.take(bytes)) {
            throw budget.refuse();
        }
        owned += bytes;
        return bytes;
    }

    /** Gives back memory that was claimed or held. */
    void release(long bytes) {
        if (!isOver && bytes > 0) {
            owned -= bytes;
            budget.giveBack(bytes);
        }
    }

    /** Gives back memory of answers that nobody reads. */
    void giveBackReserved() {
        long bytes = reserved.getAndSet(0);
        if (bytes > 0) {
            budget.giveBack(bytes);
        }
    }

    /** The client is gone: gives everything back, also what comes later. */
    void leave() {
        if (!isOver) {
            isOver = true;
            budget.giveBack(owned);
            giveBackReserved();
        }
    }
}
