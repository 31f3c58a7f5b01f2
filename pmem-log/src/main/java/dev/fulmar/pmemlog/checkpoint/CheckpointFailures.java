package dev.fulmar.pmemlog.checkpoint;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Scarcity;
import java.io.IOException;

/** Makes the errors about files of a checkpoint. */
final class CheckpointFailures {
    private CheckpointFailures() {}

    static FulmarException corruption(String file, long offset, String reason) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "a checkpoint is corrupt in " + file + " at offset " + offset + ": " + reason
                        + "; restore the file from a copy, or rebuild this node from another one");
    }

    static FulmarException unreadable(String file, long offset, IOException cause) {
        return new FulmarException(
                ErrorCode.STORAGE_FAILURE,
                "cannot read " + file + " at offset " + offset + ": " + cause.getMessage()
                        + "; check the device, then start again or restore the file from a copy",
                cause);
    }

    /** The answer of a device that could not write. */
    static FulmarException unwritable(String action, String file, IOException cause) {
        return new FulmarException(
                ErrorCode.STORAGE_FAILURE,
                action + " of " + file + " failed: " + cause.getMessage() + "; no checkpoint is taken any more and the"
                        + " log grows to its limit; check the device, then start again",
                cause);
    }

    /**
     * The error for a device without space, or a process that may open no more files; work under way goes on once there
     * is room.
     */
    static FulmarException noRoom(String directory, IOException cause) {
        return new FulmarException(
                ErrorCode.DISK_FULL,
                Scarcity.isOfDescriptors(cause)
                        ? "a checkpoint in " + directory + " waits for a file: " + cause.getMessage()
                                + "; let the process open more files, or have fewer connections, and it goes on by itself"
                        : "a checkpoint in " + directory + " waits for space: " + cause.getMessage()
                                + "; free space on the device, and it goes on by itself",
                cause);
    }

    /** Whether another attempt is right once there is room. */
    static boolean isOfRoom(IOException cause) {
        return !(cause instanceof FailedForce) && (Scarcity.isOfSpace(cause) || Scarcity.isOfDescriptors(cause));
    }
}
