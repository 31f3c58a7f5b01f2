package dev.fulmar.pmemlog.backend.llpl;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.DurabilityLevel;
import dev.fulmar.pmemlog.backend.PersistentMemory;
import dev.fulmar.pmemlog.backend.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A raw pool of LLPL. It has no metadata of PMDK's, whose damage would end the process. */
final class LlplBackend implements Backend {
    private final LlplMemory memory;
    private final MemoryStorage storage;
    private final boolean isPersistent;
    private final String explanation;

    LlplBackend(Path directory, long capacityBytes, boolean isPersistent) throws IOException {
        Path path = PoolFile.in(directory);
        Object pool;
        if (Files.exists(path)) {
            checkSize(path, capacityBytes);
            pool = LlplLibrary.open(path.toString());
        } else {
            pool = LlplLibrary.create(path.toString(), capacityBytes);
        }
        PoolFile.restrict(path);
        this.memory = new LlplMemory(pool);
        this.storage = MemoryStorage.open(memory);
        this.isPersistent = isPersistent;
        this.explanation = "LLPL pool " + path.toAbsolutePath() + " of " + capacityBytes + " bytes on "
                + (isPersistent
                        ? "persistent memory, flushed line by line"
                        : "memory that is not persistent, EMULATED: "
                                + (PoolFile.isVolatile(directory)
                                        ? "it is the operating system's memory"
                                        : "lines are flushed to the operating system's memory only"));
    }

    private static void checkSize(Path path, long capacityBytes) throws IOException {
        if (Files.size(path) != capacityBytes) {
            throw new FulmarException(
                    ErrorCode.INVALID_CONFIGURATION,
                    "the pool " + path.toAbsolutePath() + " has " + Files.size(path) + " bytes, not " + capacityBytes
                            + "; set backend.capacity=" + Files.size(path));
        }
    }

    @Override
    public String name() {
        return LlplBackendProvider.NAME;
    }

    @Override
    public DurabilityLevel durability() {
        return isPersistent ? DurabilityLevel.POWER_FAIL : DurabilityLevel.PROCESS_CRASH;
    }

    @Override
    public String explanation() {
        return explanation;
    }

    @Override
    public boolean isEmulated() {
        return !isPersistent;
    }

    @Override
    public int blockBytes() {
        return PersistentMemory.LINE_BYTES;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    /** LLPL keeps a pool mapped until the process ends. */
    @Override
    public void close() {}
}
