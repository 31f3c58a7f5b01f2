package dev.fulmar.engine.version;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * A registered reader's claim on the versions of one partition, which holds back the horizon until the reader closes
 * it. A reader registers first and chooses its timestamp afterwards, so all that it needs is there whatever it chooses.
 * For the partition's thread.
 */
public final class VersionReader implements AutoCloseable {
    private final Horizon horizon;
    private final long sinceNanos;
    private final Snapshot snapshot;
    private boolean chosen;
    private boolean closed;
    private @Nullable FulmarException expiry;

    VersionReader(Horizon horizon, long floor, long sinceNanos) {
        this.horizon = horizon;
        this.sinceNanos = sinceNanos;
        snapshot = new Snapshot(floor);
    }

    /** The least timestamp that it may read at, and once it has chosen, the one that it reads at. */
    public long timestamp() {
        return snapshot.timestamp();
    }

    /** The time when it registered, by the monotonic clock. */
    public long sinceNanos() {
        return sinceNanos;
    }

    /**
     * Chooses the timestamp. It is not below the one at registration, nor the one chosen before. The caller sees to it
     * that nothing commits at or below it any more.
     */
    public void readAt(long timestamp) {
        Invariants.check(
                timestamp >= snapshot.timestamp(),
                "a reader reads nothing older than its registration or what it has read");
        chosen = true;
        snapshot.setTimestamp(timestamp);
        horizon.moved();
    }

    /** Whether it has chosen its timestamp. */
    public boolean hasChosen() {
        return chosen;
    }

    /** The snapshot that the reader sees. */
    public Snapshot snapshot() {
        return snapshot;
    }

    /** Whether it reads: it has neither left nor expired. */
    public boolean isOpen() {
        return !closed && expiry == null;
    }

    /** Whether what it needs may be gone. */
    public boolean isExpired() {
        return expiry != null;
    }

    /** Fails with the code and the reason of its end if it has expired. */
    public void checkAlive() {
        FulmarException reason = expiry;
        if (reason != null) {
            throw new FulmarException(reason.code(), String.valueOf(reason.getMessage()));
        }
        Invariants.check(!closed, "a reader that has left reads nothing");
    }

    /** Ends its claim on versions, which are given up: from now on {@link #checkAlive} fails with the reason. */
    public void expire(String reason) {
        expire(ErrorCode.SNAPSHOT_TOO_OLD, reason);
    }

    /**
     * The same, for another cause.
     *
     * @param code {@link ErrorCode#TRANSACTION_RESTART} if a reader that begins anew finds all that it needs
     */
    void expire(ErrorCode code, String reason) {
        if (expiry == null && !closed) {
            expiry = new FulmarException(code, reason);
            horizon.removed(this);
        }
    }

    /** Leaves; harmless if it has left before. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (expiry == null) {
                horizon.removed(this);
            }
        }
    }
}
