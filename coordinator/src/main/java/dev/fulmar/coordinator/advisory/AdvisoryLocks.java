package dev.fulmar.coordinator.advisory;

import java.util.Collection;
import java.util.function.Consumer;

/** Port by which sessions have advisory locks. Thread-safe; answers come on any thread. */
public interface AdvisoryLocks {
    /** A name for a session that begins to take locks. No other session ever has it. */
    String begin();

    /**
     * Takes a lock. A session has one wish at a time.
     *
     * @param then hears once
     * @return gives up waiting; the answer comes all the same, and may be that the lock was given
     */
    Runnable take(LockWish wish, Consumer<LockAnswer> then);

    /** Gives a lock back. */
    void giveBack(String holder, AdvisoryKey key, Runnable then);

    /** Lets others share a lock that the session has had for itself. */
    void share(String holder, AdvisoryKey key, Runnable then);

    /**
     * The session is over.
     *
     * @param keys of the locks that it has, which are given back soon
     */
    void end(String holder, Collection<AdvisoryKey> keys);
}
