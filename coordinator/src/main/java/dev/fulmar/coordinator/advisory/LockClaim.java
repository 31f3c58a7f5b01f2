package dev.fulmar.coordinator.advisory;

import dev.fulmar.foundation.schedule.Scheduler;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A wish that is not answered yet. The lock of {@link LockQueues} guards it, but for its timers. */
final class LockClaim {
    final LockWish wish;
    final Consumer<LockAnswer> then;

    /** By the node's clock. */
    final long sinceMicros;

    /** Number of the take; that of a later one is greater. */
    long take;

    /** Since when the database refuses its statements, on the monotonic clock; null if it does not. */
    @Nullable Long troubleNanos;

    /** Whether a statement that may give the lock is under way. */
    boolean isTrying;

    /** Whether a session has given the lock back since that statement began. */
    boolean isWoken;

    boolean isOver;

    /** Whether a row tells other nodes that it waits, or soon does. */
    boolean isShown;

    /** The answer of a claim that waits no longer; null while it does. */
    @Nullable LockAnswer givenUp;

    /** How long to wait for the next try. */
    long pauseNanos;

    /** The next try, the end of its patience, and the next look for a deadlock. */
    final AtomicReference<Scheduler.@Nullable Timer> retry = new AtomicReference<>();

    final AtomicReference<Scheduler.@Nullable Timer> end = new AtomicReference<>();
    final AtomicReference<Scheduler.@Nullable Timer> look = new AtomicReference<>();

    LockClaim(LockWish wish, Consumer<LockAnswer> then, long sinceMicros) {
        this.wish = wish;
        this.then = then;
        this.sinceMicros = sinceMicros;
    }

    /** Has another timer take the place of one that may have run. */
    static void set(AtomicReference<Scheduler.@Nullable Timer> place, Scheduler.@Nullable Timer timer) {
        Scheduler.Timer before = place.getAndSet(timer);
        if (before != null) {
            before.cancel();
        }
    }

    void cancelTimers() {
        set(retry, null);
        set(end, null);
        set(look, null);
    }
}
