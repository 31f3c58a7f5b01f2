package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a snapshot transaction asks of one partition at one timestamp, and where the answers go. For the partition's
 * thread.
 */
public interface SnapshotReadRequest {
    /** Of the state to be read. */
    long timestamp();

    List<FragmentWork> work();

    /**
     * All later commits of the partition are above the given timestamp. Said once.
     *
     * @param isClear whether everything that the partition has at or below that timestamp is decided, and waits for no
     *     other strict reader
     */
    void passed(long clock, boolean isClear);

    /**
     * What was read, up to a failure if there was one. Said once; before {@link #passed} if the partition cannot serve
     * the reader at all.
     */
    void read(List<FragmentResult> results, @Nullable FragmentFailure failure);
}
