package dev.fulmar.postgres.session;

import dev.fulmar.postgres.dialect.LockCall;

/** How often a session has taken an advisory lock. Not thread-safe. */
final class HeldLock {
    /** Whether it has it for itself. */
    private boolean isExclusive;

    private long exclusive;
    private long shared;
    private long exclusiveOfTransaction;
    private long sharedOfTransaction;

    HeldLock(boolean isExclusive) {
        this.isExclusive = isExclusive;
    }

    /** Whether what the call takes is there already. */
    boolean covers(LockCall call) {
        return isExclusive || call.isShared();
    }

    /** Whether others may have it too. */
    boolean isShared() {
        return !isExclusive;
    }

    /** Others may not have it any more, or may have it. */
    void exclusive(boolean isIt) {
        isExclusive = isIt;
    }

    void taken(LockCall call) {
        if (call.isOfTransaction()) {
            exclusiveOfTransaction += call.isShared() ? 0 : 1;
            sharedOfTransaction += call.isShared() ? 1 : 0;
        } else {
            exclusive += call.isShared() ? 0 : 1;
            shared += call.isShared() ? 1 : 0;
        }
    }

    /** Takes one call back; false if there is none. */
    boolean unlock(boolean isOfShared) {
        boolean is = (isOfShared ? shared : exclusive) > 0;
        shared -= is && isOfShared ? 1 : 0;
        exclusive -= is && !isOfShared ? 1 : 0;
        return is;
    }

    void unlockAll() {
        exclusive = 0;
        shared = 0;
    }

    void transactionEnds() {
        exclusiveOfTransaction = 0;
        sharedOfTransaction = 0;
    }

    /** Whether the session has taken it beyond its transaction. */
    boolean isOfSession() {
        return exclusive + shared > 0;
    }

    boolean isTaken() {
        return exclusive + shared + exclusiveOfTransaction + sharedOfTransaction > 0;
    }

    /** Whether some call has taken it for the session alone. */
    boolean isTakenExclusively() {
        return exclusive + exclusiveOfTransaction > 0;
    }
}
