package dev.fulmar.pmemlog.backend.llpl;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.BackendProvider;
import dev.fulmar.pmemlog.backend.BackendSettings;
import java.io.IOException;
import java.nio.file.Path;

/** Opens pools of persistent memory by LLPL, if LLPL is there and the memory is persistent. */
public final class LlplBackendProvider implements BackendProvider {
    /** Name of the backend. */
    public static final String NAME = "llpl";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Backend open(BackendSettings settings) {
        Path directory = Path.of(settings.directory());
        try {
            boolean isPersistent = PoolFile.isOnPersistentMemory(directory);
            if (!isPersistent && !settings.emulated()) {
                throw new FulmarException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "the directory " + directory.toAbsolutePath()
                                + " is not on persistent memory: its file system cannot map files synchronously (DAX),"
                                + " and nothing written there by the backend llpl would survive a power failure; choose"
                                + " a directory on a DAX file system, or the backend file, or, for tests only, set"
                                + " backend.emulated=true");
            }
            return new LlplBackend(directory, settings.capacityBytes(), isPersistent);
        } catch (LinkageError e) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the backend llpl needs llpl-1.2.0-release.jar on the class path and libpmem1, libpmemobj1 and"
                            + " libpmempool1 on the system (" + e + "); install them, or choose the backend file",
                    e);
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "the pool in " + directory.toAbsolutePath() + " cannot be opened (" + e
                            + "); check path, permissions and device",
                    e);
        }
    }
}
