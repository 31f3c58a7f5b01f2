package dev.fulmar.engine.version;

import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The readers of versions that are registered at a partition, and with them the horizon. No reader needs a version that
 * was replaced at or before the horizon. For the partition's thread.
 */
public final class Horizon {
    /** In the order of registration. */
    private final List<VersionReader> readers = new ArrayList<>();

    private long timestamp = Long.MAX_VALUE;
    private long expired;

    /** Registers a reader that will read at or above the floor. */
    public VersionReader register(long floor, long nowNanos) {
        VersionReader reader = new VersionReader(this, floor, nowNanos);
        readers.add(reader);
        moved();
        return reader;
    }

    /**
     * The timestamp at or before which replaced versions are needed by no reader; the highest possible one without a
     * reader.
     */
    public long timestamp() {
        return timestamp;
    }

    public boolean hasReaders() {
        return !readers.isEmpty();
    }

    public int readerCount() {
        return readers.size();
    }

    /** Readers expired so far. */
    public long expired() {
        return expired;
    }

    /** The reader with the oldest snapshot, among equals the one that registered first; null without a reader. */
    public @Nullable VersionReader oldest() {
        VersionReader oldest = null;
        for (VersionReader reader : readers) {
            if (oldest == null || reader.timestamp() < oldest.timestamp()) {
                oldest = reader;
            }
        }
        return oldest;
    }

    /** Expires the reader with the oldest snapshot. */
    public void expireOldest(String reason) {
        expireOldest(ErrorCode.SNAPSHOT_TOO_OLD, reason);
    }

    private void expireOldest(ErrorCode code, String reason) {
        VersionReader oldest = oldest();
        if (oldest != null) {
            expired++;
            oldest.expire(code, reason);
        }
    }

    /** Expires every reader. */
    public void expireAll(String reason) {
        expireAll(ErrorCode.SNAPSHOT_TOO_OLD, reason);
    }

    /** Expires every reader; those that begin anew find all that they need. */
    public void restartAll(String reason) {
        expireAll(ErrorCode.TRANSACTION_RESTART, reason);
    }

    private void expireAll(ErrorCode code, String reason) {
        while (hasReaders()) {
            expireOldest(code, reason);
        }
    }

    void removed(VersionReader reader) {
        boolean wasRegistered = readers.remove(reader);
        Invariants.check(wasRegistered, "a reader leaves the partition at which it registered, and once");
        moved();
    }

    /** A reader came, moved or left. */
    void moved() {
        VersionReader oldest = oldest();
        timestamp = oldest == null ? Long.MAX_VALUE : oldest.timestamp();
    }
}
