package dev.fulmar.coordinator.replication.building;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.foundation.id.PartitionId;

/**
 * Port of a node that serves images of the partitions it leads, chunk by chunk, to nodes that build copies. Its methods
 * are for any thread, return at once, and are answered through the {@link Reader}, on the partition's thread.
 */
public interface CopySource {
    /** Takes what one copy asked for. */
    interface Reader {
        /** The image is fixed. */
        void begun(CopyOrigin origin);

        /**
         * The next chunk, or one again that was asked for again.
         *
         * @param rows as {@link ChunkFormat} writes them; they stay as they are
         * @param last whether there is no more
         */
        void chunk(long number, byte[] rows, boolean last);

        /** There is no image, or no more of it. */
        void refused(Refusal reason);
    }

    /** Why there is no image. Numbers are on the network and are never used again. */
    enum Refusal {
        /** The partition is not led here, or not any more. */
        NOT_PRIMARY(1),
        /** No such copy is being built: it never was, or did not pull for too long. */
        UNKNOWN(2),
        /** Versions of rows, or tables, that the image still needs are gone. */
        OVERTAKEN(3),
        /** The log behind the image's position took more than it may and is gone. */
        LOG_GONE(4);

        private final int number;

        Refusal(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /**
     * Fixes an image for the copy at the next moment without a transaction, or tells once more of the one that it has.
     * Until {@link #end} the log's records behind it are kept.
     */
    void begin(PartitionId partition, CopyId copy, Reader reader);

    /**
     * Asks for chunks. Earlier ones are not needed any more. To be called now and then, else the image goes.
     *
     * @param next number of the next chunk that the copy needs, from 0
     * @param credit how many chunks from there on it can take
     * @param again whether those of them that it was given are lost
     */
    void pull(PartitionId partition, CopyId copy, long next, int credit, boolean again, Reader reader);

    /** The copy follows the log, or is given up. */
    void end(PartitionId partition, CopyId copy);
}
