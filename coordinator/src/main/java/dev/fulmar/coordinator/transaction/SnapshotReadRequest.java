package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.PartSize;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot transaction's question to one partition at one timestamp, and the receiver of the answers. For the
 * partition's thread.
 */
public interface SnapshotReadRequest {
    /** The timestamp of the state to be read. */
    long timestamp();

    List<FragmentWork> work();

    /**
     * The part of the rows that is wanted, of a reader that fetches them in parts; null for all of them. The work is
     * one fragment then, the same in all questions of a reading. Each one yields a result with the rows behind those of
     * the one before, or no result if none are left. Without work, the question ends the reading.
     */
    default @Nullable PartSize part() {
        return null;
    }

    /** Number of the reading: a reader may read several queries in parts, beside each other, at one timestamp. */
    default int reading() {
        return 0;
    }

    /**
     * All later commits of the partition are above the given timestamp. Said once.
     *
     * @param isClear whether everything that the partition has at or below that timestamp is decided, and waits for no
     *     other strict reader
     */
    void passed(long clock, boolean isClear);

    /**
     * Takes the results, up to a failure if there was one. Said once; before {@link #passed} if the partition cannot
     * serve the reader at all.
     */
    void read(List<FragmentResult> results, @Nullable FragmentFailure failure);
}
