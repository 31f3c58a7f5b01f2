package dev.fulmar.node.backup;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.real.FileStorage;
import dev.fulmar.node.data.OwnerOnly;
import dev.fulmar.pmemlog.backup.BackupManifest;
import dev.fulmar.pmemlog.backup.BackupVerification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Directories that backups go to. */
public final class BackupDirectory {
    /** Property of a manifest: how many partitions the database had. */
    static final String PARTITIONS = "partitions";

    /** Property of a manifest: how its keys were dealt out. */
    static final String PARTITIONING = "partitioning";

    /** Property of a manifest: how many further partitions it had; missing in backups of earlier versions. */
    static final String SPARES = "partitions.spare";

    /** In the place of {@link #PARTITIONS} if there are further ones: earlier versions refuse such a backup. */
    static final String PARTITIONS_WITH_KEYS = "partitions.with-keys";

    private BackupDirectory() {}

    /**
     * Begins a backup to the directory, which is absent or empty.
     *
     * @param data the data directory
     * @param layout settings that a restored database has too, by name
     */
    public static BackupFigures begin(Durability durability, Path directory, Path data, Map<String, String> layout) {
        if (!directory.isAbsolute()) {
            throw refused("the directory of a backup is named by its whole path, not as " + directory, null);
        }
        if (directory.normalize().startsWith(data.toAbsolutePath().normalize())) {
            throw refused(
                    "the directory " + directory
                            + " is in the data directory, with which it would be lost; name another"
                            + " one, best on another device",
                    null);
        }
        try {
            refuseFiles(directory);
            OwnerOnly.createDirectory(directory);
            return durability.backUp(new FileStorage(directory), properties(layout), List.of(), directory.toString());
        } catch (IOException e) {
            throw refused("the directory " + directory + " cannot be used (" + e + "); check path and permissions", e);
        }
    }

    private static TreeMap<String, String> properties(Map<String, String> layout) {
        TreeMap<String, String> properties = new TreeMap<>(layout);
        if (!layout.getOrDefault(SPARES, "0").equals("0")) {
            properties.put(PARTITIONS_WITH_KEYS, layout.getOrDefault(PARTITIONS, ""));
            properties.remove(PARTITIONS);
        }
        return properties;
    }

    /** Directories without files are what a backup that failed has left. */
    private static void refuseFiles(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.walk(directory)) {
            if (!Files.isDirectory(directory) || entries.anyMatch(entry -> !Files.isDirectory(entry))) {
                throw refused(directory + " is no empty directory; name a new one", null);
            }
        }
    }

    static void refuseUsed(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent()) {
                throw refused("the directory " + directory + " is not empty; name a new one", null);
            }
        }
    }

    /**
     * Reads every byte of a backup; fails with the first file and offset that is not what was written.
     *
     * @param read hears how many bytes more were read
     */
    public static BackupManifest verify(Path directory, LongConsumer read) {
        return new BackupVerification(open(directory), read).run();
    }

    static FileStorage open(Path directory) {
        try {
            return FileStorage.readOnly(directory);
        } catch (IOException e) {
            throw refused("there is no directory " + directory + " that can be read (" + e + ")", e);
        }
    }

    static FulmarException refused(String why, @Nullable Throwable cause) {
        return new FulmarException(ErrorCode.INVALID_CONFIGURATION, why, cause);
    }
}
