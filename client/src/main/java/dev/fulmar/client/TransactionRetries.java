package dev.fulmar.client;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs a transaction again while others are in its way. */
final class TransactionRetries {
    static final int USUAL_ATTEMPTS = 50;

    private static final long FIRST_PAUSE_NANOS = 500_000;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;

    /** Doublings of the pause that are enough for the longest. */
    private static final int MOST_DOUBLINGS = 10;

    private final Supplier<Session> begins;
    private final int attempts;

    /** Whether a connection was lost under a statement: the statement may be why, so it is not sent a third time. */
    private boolean wasLost;

    /**
     * @param begins opens a session for an attempt
     * @param attempts at most; at least one
     */
    TransactionRetries(Supplier<Session> begins, int attempts) {
        this.begins = begins;
        this.attempts = attempts;
    }

    /** Commits after the body unless that has done so. */
    <T> T run(TransactionBody<T> body) {
        for (int attempt = 1; ; attempt++) {
            @Nullable Session session = null;
            try {
                session = begins.get();
                T result = body.run(session);
                if (!session.mayBeCommitted()) {
                    session.commit();
                }
                return result;
            } catch (FulmarException e) {
                if (attempt >= attempts || !mayComeRight(e.code(), session != null && session.mayBeCommitted())) {
                    throw e;
                }
            } finally {
                if (session != null) {
                    session.close();
                }
            }
            pause(attempt);
        }
    }

    /** Whether nothing was changed, and the same may succeed. */
    private boolean mayComeRight(ErrorCode code, boolean mayBeCommitted) {
        switch (code) {
            case SERIALIZATION_FAILURE -> {
                return true;
            }
            case OUTCOME_UNKNOWN, NO_ACTIVE_TRANSACTION -> {
                boolean isFirst = !wasLost && !mayBeCommitted;
                wasLost = true;
                return isFirst;
            }
            default -> {
                return code.category() == ErrorCode.Category.RETRYABLE;
            }
        }
    }

    /** Longer from time to time, and never the same for two clients. */
    private static void pause(int attempt) {
        long longest = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(attempt, MOST_DOUBLINGS));
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(longest));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FulmarException(
                    ErrorCode.CANCELLED, "the thread was interrupted before it ran its transaction again", e);
        }
    }
}
