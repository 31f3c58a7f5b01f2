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
    /** The state of a session, by which the watch knows how long its client may take. */
    enum Phase {
        /** A statement runs, or waits for a lease. */
        EXECUTES,
        /** It waits for its client. */
        THINKS,
        /** It has failed, and waits for its client to hear of it. */
        FAILED
    }

    private final SessionLimits limits;
    private final Clock clock;
    private final Scheduler scheduler;
    private final Runnable look;
    private final long begunNanos;

    private final AtomicReference<Scheduler.@Nullable Timer> timer = new AtomicReference<>();

    /** When the timer has run down. */
    private long dueNanos;

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

    /** Sets the timer to when its client may take too long, or cancels it once the session has ended. */
    void watch(boolean isOver, Phase phase) {
        Scheduler.Timer known = timer.get();
        long now = clock.monotonicNanos();
        long restNanos = restNanos(phase, now);
        boolean isLate = known != null && !isOver && now + restNanos - dueNanos < 0;
        if (known != null && (isOver || isLate)) {
            known.cancel();
            timer.set(null);
        }
        if (!isOver && timer.get() == null) {
            dueNanos = now + restNanos;
            timer.set(scheduler.schedule(restNanos, look));
        }
    }

    /** The session looks, so the timer has run down. */
    void looks() {
        timer.set(null);
    }

    /** Time until its client may take too long. */
    private long restNanos(Phase phase, long now) {
        long idleNanos = limits.idleNanos() - (now - idleSinceNanos);
        long totalNanos = limits.totalNanos() - (now - begunNanos);
        return switch (phase) {
            case EXECUTES -> limits.idleNanos();
            case FAILED -> Math.max(1, idleNanos);
            case THINKS -> Math.max(1, Math.min(idleNanos, totalNanos));
        };
    }

    /** Whether its client has neither got nor sent anything for as long as it may be idle. */
    boolean isIdle() {
        return clock.monotonicNanos() - idleSinceNanos >= limits.idleNanos();
    }

    /** Why the transaction may not go on, whatever its client does; null if it may. */
    @Nullable FulmarException overdue() {
        return clock.monotonicNanos() - begunNanos >= limits.totalNanos()
                ? tooLong("was open", limits.totalNanos())
                : null;
    }

    /** Why its client takes too long; null if it does not. */
    @Nullable FulmarException lateness() {
        FulmarException overdue = overdue();
        return overdue == null && isIdle() ? tooLong("was idle", limits.idleNanos()) : overdue;
    }

    private static FulmarException tooLong(String what, long nanos) {
        return new FulmarException(
                ErrorCode.IDLE_TRANSACTION,
                "the transaction " + what + " for " + nanos / 1_000_000
                        + " ms and was rolled back; run it again from BEGIN on");
    }
}
