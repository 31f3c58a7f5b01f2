package dev.fulmar.pmemlog.store;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.checkpoint.CheckpointPolicy;
import dev.fulmar.pmemlog.checkpoint.CheckpointSettings;
import dev.fulmar.pmemlog.log.LogSettings;

/**
 * Sizes of a store.
 *
 * @param log its operation log
 * @param checkpoints its checkpoint log and master heap
 * @param policy when a checkpoint is due; of the log at most three quarters fill up between two
 * @param maxVersionBytes superseded versions to keep for snapshots; beyond it the snapshots expire
 */
public record StoreSettings(
        LogSettings log, CheckpointSettings checkpoints, CheckpointPolicy policy, long maxVersionBytes) {
    private static final int MEBIBYTE = 1 << 20;
    private static final long SECOND = 1_000_000_000;

    public StoreSettings {
        if (maxVersionBytes <= 0) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "a store cannot keep " + maxVersionBytes + " bytes of versions; the limit is positive");
        }
    }

    /** For a directory of a backend whose device writes so many bytes as one. */
    public static StoreSettings defaults(String directory, int blockBytes) {
        LogSettings log = new LogSettings(
                directory, 16 * MEBIBYTE, blockBytes, MEBIBYTE, 4 * MEBIBYTE, MEBIBYTE / 4, 16, 1, SECOND / 20);
        return new StoreSettings(
                log,
                CheckpointSettings.defaults(directory + "-checkpoints"),
                new CheckpointPolicy(64L * MEBIBYTE, 1024L * MEBIBYTE, 10 * SECOND, 50L * MEBIBYTE),
                256L * MEBIBYTE);
    }
}
