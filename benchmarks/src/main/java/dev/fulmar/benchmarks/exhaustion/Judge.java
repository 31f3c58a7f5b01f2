package dev.fulmar.benchmarks.exhaustion;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Judges the end or the recovery of a node without a resource, by the answers that others get from it. A node may
 * refuse while the shortage lasts, but not say that it is ready while nothing commits. Afterwards it serves soon, or
 * has ended with a right status and the others serve. All times are milliseconds of one clock. For one thread.
 */
final class Judge {
    /**
     * For each of these: to serve after the end of the shortage, to be replaced after the node's end, to notice that
     * nothing commits.
     */
    static final Duration LIMIT = Duration.ofSeconds(5);

    private static final long NEVER = Long.MIN_VALUE;

    private final boolean isAlone;
    private final Set<Integer> led;
    private final Set<Integer> statuses;
    private final long[] committed;
    private long readySince = NEVER;
    private long endedAt = NEVER;
    private long releasedAt = NEVER;

    /** Kinds of ends. */
    enum Kind {
        SERVES,
        ENDED,
        WRONG_STATUS,
        HALF_ALIVE
    }

    /**
     * @param millis from the end of the shortage until the node was known to serve, or from its own end until others
     * did
     */
    record Outcome(Kind kind, long millis, String detail) {
        boolean isGood() {
            return kind == Kind.SERVES || kind == Kind.ENDED;
        }
    }

    /**
     * @param partitions of the cluster
     * @param isAlone whether no other node could take over
     * @param led the partitions that the node led when the shortage began
     * @param statuses with which the node may end
     */
    Judge(int partitions, boolean isAlone, Set<Integer> led, Set<Integer> statuses, long nowMillis) {
        this.isAlone = isAlone;
        this.led = Set.copyOf(led);
        this.statuses = Set.copyOf(statuses);
        committed = new long[partitions];
        Arrays.fill(committed, nowMillis);
    }

    /** A client was told of a commit that it asked for at that time. */
    void committed(int partition, long sentMillis) {
        committed[partition] = Math.max(committed[partition], sentMillis);
    }

    /** The node has again what it ran out of. */
    void released(long nowMillis) {
        releasedAt = nowMillis;
    }

    /**
     * The node as it is now; the outcome as soon as it is known.
     *
     * @param answers asks whether a new client of the node is answered
     */
    Optional<Outcome> look(long nowMillis, OptionalInt exitStatus, boolean isReady, BooleanSupplier answers) {
        return exitStatus.isPresent()
                ? lookAtEnded(nowMillis, exitStatus.getAsInt())
                : lookAtLiving(nowMillis, isReady, answers);
    }

    private Optional<Outcome> lookAtEnded(long nowMillis, int status) {
        if (endedAt == NEVER) {
            endedAt = nowMillis;
        }
        long millis = nowMillis - endedAt;
        if (!statuses.contains(status)) {
            return Optional.of(new Outcome(Kind.WRONG_STATUS, millis, "exit status " + status));
        }
        if (isAlone || areAllCommittedAfter(endedAt)) {
            return Optional.of(new Outcome(Kind.ENDED, millis, "status " + status));
        }
        return millis > LIMIT.toMillis()
                ? Optional.of(new Outcome(Kind.HALF_ALIVE, millis, "ended, and the others do not serve all it led"))
                : Optional.empty();
    }

    private Optional<Outcome> lookAtLiving(long nowMillis, boolean isReady, BooleanSupplier answers) {
        if (!isReady) {
            readySince = NEVER;
        } else if (readySince == NEVER) {
            readySince = nowMillis;
        }
        if (releasedAt != NEVER) {
            long millis = nowMillis - releasedAt;
            if (isReady && areAllCommittedAfter(releasedAt) && answers.getAsBoolean()) {
                return Optional.of(new Outcome(Kind.SERVES, millis, "serves"));
            }
            if (millis > LIMIT.toMillis()) {
                return Optional.of(new Outcome(
                        Kind.HALF_ALIVE, millis, (isReady ? "ready" : "not ready") + " and alive after the shortage"));
            }
        }
        return liar(nowMillis);
    }

    private Optional<Outcome> liar(long nowMillis) {
        for (int partition : led) {
            long millis = nowMillis - Math.max(readySince, committed[partition]);
            if (readySince != NEVER && millis > LIMIT.toMillis()) {
                return Optional.of(new Outcome(
                        Kind.HALF_ALIVE,
                        millis,
                        "says that it is ready, but partition " + partition + " commits nothing"));
            }
        }
        return Optional.empty();
    }

    private boolean areAllCommittedAfter(long millis) {
        return Arrays.stream(committed).allMatch(sent -> sent > millis);
    }
}
