package dev.fulmar.pmemlog.backend.llpl;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import jdk.nio.mapmode.ExtendedMapMode;

/** The file of the operating system that is a pool's name. */
final class PoolFile {
    private static final String NAME = "llpl.pool";
    private static final String PROBE = "llpl.probe";
    private static final int PROBE_BYTES = 4096;

    private PoolFile() {}

    static Path in(Path directory) {
        return directory.resolve(NAME);
    }

    /**
     * Whether what is flushed there from a processor's cache is on the device: only then does the kernel map
     * synchronously. What libpmem says of itself can be set by an environment variable.
     */
    static boolean isOnPersistentMemory(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path probe = directory.resolve(PROBE);
        try (FileChannel channel =
                FileChannel.open(probe, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            channel.map(ExtendedMapMode.READ_WRITE_SYNC, 0, PROBE_BYTES);
            return true;
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    static boolean isVolatile(Path directory) throws IOException {
        String type = Files.getFileStore(directory).type();
        return type.equals("tmpfs") || type.equals("ramfs");
    }

    /** Restricts a pool to its owner, for a user that changes it changes the process's belief. */
    static void restrict(Path pool) throws IOException {
        Files.setPosixFilePermissions(pool, PosixFilePermissions.fromString("rw-------"));
    }
}
