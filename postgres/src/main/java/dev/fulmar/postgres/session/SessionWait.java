package dev.fulmar.postgres.session;

import dev.fulmar.foundation.error.FulmarException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a session for something other than an answer: an advisory lock, or the end of a time. The session handles
 * no message meanwhile. For the session's thread.
 */
final class SessionWait {
    private final SessionThread thread;
    private final BiConsumer<FulmarException, Places> failed;
    private final Runnable ended;

    /** Ends the wait early; null if it cannot be. */
    private @Nullable Runnable giveUp;

    /** The wait under way is the one of this number. */
    private long number;

    private boolean isUnderWay;
    private boolean isOver;

    /**
     * @param failed hears of errors
     * @param ended is told behind each wait, on the session's thread
     */
    SessionWait(SessionThread thread, BiConsumer<FulmarException, Places> failed, Runnable ended) {
        this.thread = thread;
        this.failed = failed;
        this.ended = ended;
    }

    boolean isUnderWay() {
        return isUnderWay;
    }

    /** The session waits from now on. */
    long begin() {
        isUnderWay = true;
        return ++number;
    }

    /** How the wait that has begun can be given up; without effect if it has ended already. */
    void canBeGivenUp(long wait, Runnable early) {
        if (isUnderWay && wait == number) {
            giveUp = early;
        }
    }

    /** The client waits no longer. */
    void cancel() {
        Runnable early = giveUp;
        if (early != null) {
            early.run();
        }
    }

    /** The session has ended, and waits no longer. */
    void leave() {
        isOver = true;
        cancel();
    }

    /** The session waits until this is run, on whatever thread. */
    Runnable later(Runnable then) {
        long wait = begin();
        return () -> end(wait, then);
    }

    /** Ends the wait unless it has ended; from any thread. */
    void end(long wait, Runnable then) {
        thread.execute(() -> {
            if (isOver || !isUnderWay || wait != number) {
                return;
            }
            isUnderWay = false;
            giveUp = null;
            try {
                then.run();
            } catch (FulmarException e) {
                failed.accept(e, Places.NONE);
            }
            ended.run();
        });
    }
}
