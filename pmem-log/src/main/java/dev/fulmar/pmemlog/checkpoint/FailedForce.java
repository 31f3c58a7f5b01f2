package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.storage.Scarcity;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;

/**
 * Thrown when a checkpoint's file or directory could not be forced to disk, after which its work is not retried. The
 * content of the file is unknown from then on, whatever the cause.
 */
final class FailedForce extends IOException {
    private static final long serialVersionUID = 1L;

    private FailedForce(IOException cause) {
        super("a force failed: " + cause.getMessage(), cause);
    }

    static void force(StorageFile file) throws FailedForce {
        try {
            file.force();
        } catch (IOException e) {
            throw new FailedForce(e);
        }
    }

    /**
     * A directory has to be opened to be forced: where that is not possible now, nothing was forced, and another
     * attempt is right.
     */
    static void forceDirectory(Storage storage, String directory) throws IOException {
        try {
            storage.forceDirectory(directory);
        } catch (IOException e) {
            throw Scarcity.isOfDescriptors(e) ? e : new FailedForce(e);
        }
    }
}
