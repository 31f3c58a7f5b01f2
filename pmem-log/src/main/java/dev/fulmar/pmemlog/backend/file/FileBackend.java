package dev.fulmar.pmemlog.backend.file;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.pmemlog.backend.Backend;
import dev.fulmar.pmemlog.backend.DurabilityLevel;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Files below a directory: synchronous writes into space that was allocated before, and forces. */
final class FileBackend implements Backend {
    private static final int BLOCK_BYTES = 4096;

    /** File systems that are the operating system's memory. */
    private static final Set<String> VOLATILE = Set.of("tmpfs", "ramfs", "devtmpfs");

    private final Storage storage;
    private final DurabilityLevel durability;
    private final String explanation;

    FileBackend(Path directory) throws IOException {
        this.storage = new FileStorage(directory);
        FileStore device = Files.getFileStore(directory);
        boolean isVolatile = VOLATILE.contains(device.type());
        this.durability = isVolatile ? DurabilityLevel.PROCESS_CRASH : DurabilityLevel.POWER_FAIL;
        this.explanation = "files in " + directory.toAbsolutePath() + " on " + device.name() + " (" + device.type()
                + "), "
                + (isVolatile
                        ? "which is memory"
                        : "written with O_DSYNC and fdatasync, durable if the device keeps what it confirmed");
    }

    @Override
    public String name() {
        return FileBackendProvider.NAME;
    }

    @Override
    public DurabilityLevel durability() {
        return durability;
    }

    @Override
    public String explanation() {
        return explanation;
    }

    @Override
    public boolean isEmulated() {
        return false;
    }

    @Override
    public int blockBytes() {
        return BLOCK_BYTES;
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public void close() {}
}
