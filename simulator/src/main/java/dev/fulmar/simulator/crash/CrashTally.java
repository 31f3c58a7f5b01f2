package dev.fulmar.simulator.crash;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Counts of crashes and their outcomes. Thread-safe. */
public final class CrashTally {
    private static final int MOST_VIOLATIONS = 50;

    private final Map<Reached, Long> counts = new EnumMap<>(Reached.class);
    private final List<String> violations = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private long violated;

    /** Situations that a campaign must reach, or it has shown nothing about them. */
    public enum Reached {
        /** Crashes. */
        CRASH,
        /** Those that took the power, and what was not forced with it. */
        POWER_FAILURE,
        /** Those within a write. */
        TORN_WRITE,
        /** Those between two calls of the storage. */
        BETWEEN_CALLS,
        /** Those while a recovery wrote. */
        CRASH_IN_RECOVERY,
        /** Databases that went on after a crash, and were ended again. */
        WENT_ON,
        /** Recoveries that began with rows from checkpoints. */
        BEGUN_FROM_CHECKPOINTS,
        /** Recoveries that repaired a torn slot. */
        TORN_SLOT_REPAIRED,
        /** Recoveries that cut a tail. */
        TAIL_CUT,
        /** Recoveries that found a transaction in doubt and committed it. */
        DOUBT_COMMITTED,
        /** Recoveries that found a transaction in doubt and undid it. */
        DOUBT_UNDONE,
        /** Starts that refused a command which changed other rows than before. */
        DIVERGENCE_REFUSED,
        /** Checkpoints that were taken. */
        CHECKPOINT,
        /** Segments of checkpoint logs that were written back. */
        WRITTEN_BACK,
        /** Segments of the log that were used again. */
        SEGMENT_REUSED,
        /** Changes of the catalog under load. */
        CATALOG_CHANGE,
        /** Transactions that were acknowledged before a crash. */
        ACKNOWLEDGED,
        /** Buckets that were handed over under load. */
        HANDED_OVER,
        /** Recoveries with a reconfiguration under way. */
        MOVE_RECOVERED,
        /** Recoveries that found staged rows. */
        STAGED_ROWS_RECOVERED;

        /** Whether only runs in which keys move reach it. */
        private boolean isOfMoves() {
            return this == HANDED_OVER || this == MOVE_RECOVERED || this == STAGED_ROWS_RECOVERED;
        }
    }

    public void reached(Reached path, long times) {
        lock.lock();
        try {
            if (times > 0) {
                counts.merge(path, times, Long::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    public void violation(String text) {
        lock.lock();
        try {
            violated++;
            if (violations.size() < MOST_VIOLATIONS) {
                violations.add(text);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Number of times that the path was reached. */
    public long count(Reached path) {
        lock.lock();
        try {
            return counts.getOrDefault(path, 0L);
        } finally {
            lock.unlock();
        }
    }

    /** All counts. */
    public Map<Reached, Long> counts() {
        lock.lock();
        try {
            return new EnumMap<>(counts);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Situations that were never reached.
     *
     * @param movesKeys whether keys moved in the runs
     */
    public List<Reached> missing(boolean movesKeys) {
        List<Reached> missing = new ArrayList<>(List.of(Reached.values()));
        missing.removeAll(counts().keySet());
        missing.removeIf(path -> path.isOfMoves() && !movesKeys);
        return missing;
    }

    /** Crashes after which something was wrong. */
    public long violated() {
        lock.lock();
        try {
            return violated;
        } finally {
            lock.unlock();
        }
    }

    /** The first of them. */
    public List<String> violations() {
        lock.lock();
        try {
            return List.copyOf(violations);
        } finally {
            lock.unlock();
        }
    }
}
