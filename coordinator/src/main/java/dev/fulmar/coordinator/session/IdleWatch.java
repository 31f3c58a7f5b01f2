package dev.fulmar.coordinator.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.foundation.time.Clock;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The watch over a session's client: now and then it has the session look whether its client takes too long. Touched
 * where the session's events are handled.
 */
final class IdleWatch {
    private final SessionLimits limits;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Runnable look;
    private final long begunNanos;

    private final AtomicReference<Scheduler.@Nullable Timer> timer = new AtomicReference<>();
    private long idleSinceNanos;

    /** @param look has the session look; called on any thread */
    IdleWatch(SessionLimits limits, Clock clock, Scheduler scheduler, Runnable look) {
        this.limits = limits;
        this.clock = clock;
        this.scheduler = scheduler;
        this.look = look;
        this.begunNanos = clock.monotonicNanos();
        this.idleSinceNanos = begunNanos;
    }

    /** The client has got or sent something. */
    void touch() {
        idleSinceNanos = clock.monotonicNanos();
    }

    /**
     * Sets the timer, or cancels it.
     *
     * @param isOver whether the session has ended
     * @param thinks whether it waits for its client, and has not failed
     */
    void watch(boolean isOver, boolean thinks) {
        Scheduler.Timer known = timer.get();
        if (isOver && known != null) {
            known.cancel();
            timer.set(null);
        } else if (!isOver && known == null) {
            timer.set(scheduler.schedule(restNanos(thinks), look));
        }
    }

    /** The session looks, so the timer has run down. */
    void looks() {
        timer.set(null);
    }

    /** Time until its client may take too long. */
    private long restNanos(boolean thinks) {
        long now = clock.monotonicNanos();
        long idleNanos = limits.idleNanos() - (now - idleSinceNanos);
        return thinks ? Math.max(1, Math.min(idleNanos, limits.totalNanos() - (now - begunNanos))) : limits.idleNanos();
    }

    /** Why its client takes too long; null if it does not. */
    @Nullable FulmarException lateness() {
        long now = clock.monotonicNanos();
        if (now - begunNanos >= limits.totalNanos()) {
            return tooLong("was open", limits.totalNanos());
        }
        return now - idleSinceNanos >= limits.idleNanos() ? tooLong("was idle", limits.idleNanos()) : null;
    }

    private static FulmarException tooLong(String what, long nanos) {
        return new FulmarException(
                ErrorCode.IDLE_TRANSACTION,
                "the transaction " + what + " for " + nanos / 1_000_000
                        + " ms and was rolled back; run it again from BEGIN on");
    }
}
