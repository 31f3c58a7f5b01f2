package dev.fulmar.coordinator.durability.ddl;

import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.network.Network;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the size of changes of a cluster's catalog. Each change is one message to another node, and all together
 * are the image from which a copy of the catalog is built.
 *
 * @param history the changes so far
 * @param mostImageBytes most bytes of all changes together
 */
record ChangeLimit(CatalogHistory history, int mostImageBytes) {
    /** The largest change that a message to another node takes. */
    private static final int MOST_CHANGE_BYTES = Network.MAX_MESSAGE_BYTES - (4 << 10);

    /** Room that is left for changes which end what was begun: a table must not stay without writes for good. */
    private static final int RESERVED_BYTES = 2 << 10;

    /**
     * Returns the error of a change that is too large for a message or for the image that later nodes get; null
     * otherwise.
     *
     * @param isEnding whether it ends what an earlier change has begun
     */
    @Nullable FulmarException excess(byte[] kept, boolean isEnding) {
        long all = CatalogImage.bytesOf(history.changes()) + Integer.BYTES + kept.length;
        if (kept.length <= MOST_CHANGE_BYTES && all <= mostImageBytes - (isEnding ? 0 : RESERVED_BYTES)) {
            return null;
        }
        return new FulmarException(
                ErrorCode.NOT_SUPPORTED,
                "the change takes " + kept.length
                        + " bytes, and all changes of the catalog so far, jars with every edition of them, would take "
                        + all + "; in a cluster a change takes at most " + MOST_CHANGE_BYTES + ", all together "
                        + mostImageBytes
                        + ", or no node could join it any more; load smaller jars, or bring the data into a new cluster with dump and load");
    }
}
