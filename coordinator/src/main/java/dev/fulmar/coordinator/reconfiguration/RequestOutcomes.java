package dev.fulmar.coordinator.reconfiguration;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;

/**
 * Port by which a reconfiguration copies a partition's memory of requests to another partition: a retry finds its
 * outcome where its keys are. For the partition's thread.
 */
public interface RequestOutcomes {
    /**
     * A place in the partition's memory of requests.
     *
     * @param put outcomes before it
     * @param forgets state of what is forgotten, when the batch before it was made
     */
    record Place(long put, long forgets) {
        /** No marks of what is forgotten yet. */
        public static final long LACKS_MARKS = -1;

        /** Before everything. */
        public static final Place BEGIN = new Place(0, LACKS_MARKS);
    }

    /**
     * Some outcomes of requests.
     *
     * @param parts for {@link #take} one after another, some hundred KiB each
     * @param next the place at which {@link #since} goes on
     * @param isLast whether these were all
     */
    record Batch(List<byte[]> parts, Place next, boolean isLast) {
        public Batch {
            parts = List.copyOf(parts);
        }
    }

    /** Differs from an earlier one if another node has led the partition since: then places of before mean nothing. */
    long term();

    /** Calls on the partition's keys that have committed and are remembered, so far; it only grows in one process. */
    long commits();

    /**
     * Some of the outcomes that came after the place, which is of this {@link #term}. If more is forgotten by then, the
     * last batch has all marks of that too.
     */
    Batch since(Place place);

    /**
     * Remembers the outcomes of another partition's requests.
     *
     * @throws FulmarException {@link ErrorCode#CORRUPTION} for bytes that are no outcomes
     */
    void take(byte[] bytes);
}
