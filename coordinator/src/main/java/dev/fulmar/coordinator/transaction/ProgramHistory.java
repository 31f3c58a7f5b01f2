package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a partition is read with, by the timestamps of the snapshots. A hand-off changes the plan and
 * leaves the tables as they are. So readers whose snapshots are from before it go on with the program of before.
 * Invariant: a snapshot is read at each partition with the program that counted there at its timestamp, or its reader
 * begins anew. For the partition's thread.
 */
final class ProgramHistory {
    /**
     * A program that counted.
     *
     * @param since commit timestamp of the change that brought it
     * @param until timestamp at which the partition promised its successor; nothing was committed with it from then on
     */
    private record Former(Program program, long since, long until) {
        boolean isReadAt(long timestamp) {
            return since <= timestamp && timestamp < until;
        }
    }

    private final List<Former> formers = new ArrayList<>();
    private Program current;
    private long since;

    ProgramHistory(Program current) {
        this.current = current;
    }

    /** Another program counts, whose tables differ; no snapshot of before is read any more. */
    void replace(Program next) {
        current = next;
        since = 0;
        formers.clear();
    }

    /**
     * Another program counts, with the same tables.
     *
     * @param until timestamp at which the partition promised it
     * @param commitTimestamp of the change
     * @param oldestReader no reader reads at an earlier timestamp
     */
    void succeed(Program next, long until, long commitTimestamp, long oldestReader) {
        formers.removeIf(former -> former.until <= oldestReader);
        if (oldestReader < until) {
            formers.add(new Former(current, since, until));
        }
        current = next;
        since = commitTimestamp;
    }

    /** Whether the program counts for transactions. */
    boolean isCurrent(Program program) {
        return program == current;
    }

    /** Whether a snapshot of the timestamp is read with the program. */
    boolean isReadWith(Program program, long timestamp) {
        return program == current
                ? timestamp >= since
                : program == of(program.catalog().version(), timestamp);
    }

    /** The program of that version, if a snapshot of the timestamp is read with it; else null. */
    @Nullable Program of(long version, long timestamp) {
        if (version == current.catalog().version()) {
            return timestamp >= since ? current : null;
        }
        for (Former former : formers) {
            if (former.program.catalog().version() == version && former.isReadAt(timestamp)) {
                return former.program;
            }
        }
        return null;
    }
}
