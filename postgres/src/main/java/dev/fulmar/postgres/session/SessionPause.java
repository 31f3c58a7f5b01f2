package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.schedule.Scheduler;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.function.Consumer;

/** The pauses that {@code pg_sleep} makes: the session waits, and no partition does. For the session's thread. */
final class SessionPause {
    private static final double NANOS_PER_SECOND = 1e9;

    private final SessionWait wait;
    private final Scheduler scheduler;
    private final SessionSettings settings;

    SessionPause(SessionWait wait, Scheduler scheduler, SessionSettings settings) {
        this.wait = wait;
        this.scheduler = scheduler;
        this.settings = settings;
    }

    /**
     * Makes a pause, unless the limit of the session's statements ends it.
     *
     * @param seconds none for a negative number
     * @param refused hears that the client or the limit has ended it
     */
    void make(double seconds, Runnable told, Consumer<FulmarException> refused) {
        long nanos = Math.max(0, (long) (seconds * NANOS_PER_SECOND));
        long limit = settings.statementTimeoutNanos();
        boolean isTooLong = limit > 0 && limit < nanos;
        Runnable then = isTooLong ? () -> refused.accept(ended("statement timeout")) : told;
        long number = wait.begin();
        Scheduler.Timer timer = scheduler.schedule(isTooLong ? limit : nanos, () -> wait.end(number, then));
        wait.canBeGivenUp(number, () -> {
            timer.cancel();
            wait.end(number, () -> refused.accept(ended("user request")));
        });
    }

    private static FulmarException ended(String why) {
        return new FulmarException(ErrorCode.CANCELLED, "canceling statement due to " + why);
    }
}
