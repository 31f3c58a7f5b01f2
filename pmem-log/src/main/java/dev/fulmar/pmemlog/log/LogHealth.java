package dev.fulmar.pmemlog.log;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Scarcity;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * State of the log: working, short of space, or failed. A failure is final; a shortage of space ends when space comes.
 */
final class LogHealth {
    private final AtomicReference<@Nullable FulmarException> failure = new AtomicReference<>();
    private volatile @Nullable FulmarException shortage;

    /** The failure that stopped the log for good; null while it works. */
    @Nullable FulmarException failure() {
        return failure.get();
    }

    /** The reason for which the log waits for space; null while it has some. */
    @Nullable FulmarException shortage() {
        return shortage;
    }

    /** Stops the log for good. The first failure stays. */
    void fail(FulmarException cause) {
        failure.compareAndSet(null, cause);
    }

    void shortage(@Nullable FulmarException cause) {
        shortage = cause;
    }

    /** The failure that a device's answer means. */
    static FulmarException ofDevice(String action, String file, long offset, IOException cause) {
        boolean full = Scarcity.isOfSpace(cause);
        return new FulmarException(
                full ? ErrorCode.DISK_FULL : ErrorCode.STORAGE_FAILURE,
                action + " of " + file + " at offset " + offset + " failed: " + cause.getMessage()
                        + (full
                                ? "; free space on the device, then start again"
                                : "; nothing is acknowledged any more; check the device, then start again to recover what"
                                        + " it holds"),
                cause);
    }

    /**
     * The error for a device without space for another segment, or a process that may open no more files. Nothing is
     * lost, and waiting work goes on once there is room.
     */
    static FulmarException noRoom(String file, int offset, IOException cause) {
        return new FulmarException(
                ErrorCode.DISK_FULL,
                "preparation of " + file + " at offset " + offset + " failed: " + cause.getMessage()
                        + (Scarcity.isOfDescriptors(cause)
                                ? "; let the process open more files, or have fewer connections, and the log goes on by"
                                        + " itself"
                                : "; free space on the device, and the log goes on by itself"),
                cause);
    }
}
