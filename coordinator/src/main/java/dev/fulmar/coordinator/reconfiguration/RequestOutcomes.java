package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * Port by which a reconfiguration copies a partition's memory of requests to another partition: a retry finds its
 * outcome where its keys are. For the partition's thread.
 */
public interface RequestOutcomes {
    /**
     * Some outcomes of requests.
     *
     * @param bytes for {@link #take}; empty if there are none
     * @param next the place at which {@link #since} goes on
     * @param isLast whether these were all
     */
    @SuppressWarnings("ArrayRecordComponent") // one owner, never compared
    record Batch(byte[] bytes, long next, boolean isLast) {}

    /** Differs from an earlier one if another node has led the partition since: then places of before mean nothing. */
    long term();

    /** Calls on the partition's keys that have committed and are remembered, so far; it only grows in one process. */
    long commits();

    /**
     * Outcomes that came after the place, or all from place 0 on, some tens of KiB at a time. The place is of this
     * {@link #term}.
     */
    Batch since(long place);

    /**
     * Remembers the outcomes of another partition's requests.
     *
     * @throws FulmarException {@link ErrorCode#CORRUPTION} for bytes that are no outcomes
     */
    void take(byte[] bytes);
}
