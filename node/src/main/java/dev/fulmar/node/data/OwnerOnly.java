package dev.fulmar.node.data;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files and directories that only their owner may read, where the file system knows owners. */
public final class OwnerOnly {
    private static final String POSIX = "posix";
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private OwnerOnly() {}

    /**
     * Makes the directory if it is absent, durably: what is in it is no use after a power failure if its name went. One
     * that is there stays as its owner made it.
     */
    public static void createDirectory(Path directory) throws IOException {
        Path parent = directory.toAbsolutePath().normalize().getParent();
        if (parent != null && !Files.exists(directory)) {
            createParents(parent);
            Files.createDirectory(directory, attributes(directory, "rwx------"));
            force(parent);
        }
    }

    private static void createParents(Path directory) throws IOException {
        Path parent = directory.getParent();
        if (parent != null && !Files.isDirectory(directory)) {
            createParents(parent);
            Files.createDirectories(directory);
            force(parent);
        }
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Opens a file to append to, made if it is absent. */
    public static FileChannel appendTo(Path file) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, attributes(file, "rw-------"));
        }
        return FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    /** Whether users other than the owner have access to the file. */
    public static boolean isOpenToOthers(Path path) throws IOException {
        if (!Files.getFileStore(path).supportsFileAttributeView(POSIX)) {
            return false;
        }
        return Files.getPosixFilePermissions(path).stream().anyMatch(OTHERS::contains);
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains(POSIX)
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
