package dev.fulmar.coordinator.participation;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/**
 * Whose data a directory holds: a file beside the log, written once, when the node takes its place in a cluster for the first time.
 *
 * @param clusterId of the cluster
 * @param node number in it
 * @param life of the copies that began then
 */
public record MemberIdentity(UUID clusterId, int node, long life) {
    private static final String FILE = "member.properties";
    private static final String NEW_FILE = "member.properties.new";
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String LIFE = "life";

    /** What the directory says; empty if its data belong to no cluster yet. */
    public static Optional<MemberIdentity> read(Storage storage) {
        try {
            if (!storage.exists(FILE)) {
                return Optional.empty();
            }
            ByteBuffer bytes;
            try (StorageFile file = storage.open(FILE)) {
                bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
                file.read(0, bytes);
            }
            Properties properties = new Properties();
            properties.load(new StringReader(new String(bytes.array(), StandardCharsets.ISO_8859_1)));
            return Optional.of(new MemberIdentity(
                    UUID.fromString(properties.getProperty(CLUSTER, "")),
                    Integer.parseInt(properties.getProperty(NODE, "")),
                    Long.parseLong(properties.getProperty(LIFE, ""))));
        } catch (IOException e) {
            throw unusable("cannot be read: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw unusable("is damaged: " + e.getMessage(), e);
        }
    }

    /** Writes it down, durably. */
    public void write(Storage storage) {
        String text = "# Whose data this directory holds. Written by Fulmar; not to be changed.\n" + CLUSTER + "="
                + clusterId + "\n" + NODE + "=" + node + "\n" + LIFE + "=" + life + "\n";
        try {
            try (StorageFile file = storage.open(NEW_FILE)) {
                file.truncate(0);
                file.write(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
                file.force();
            }
            storage.rename(NEW_FILE, FILE);
            storage.forceDirectory("");
        } catch (IOException e) {
            throw unusable("cannot be written: " + e.getMessage(), e);
        }
    }

    private static FulmarException unusable(String why, Exception cause) {
        return new FulmarException(
                ErrorCode.STORAGE_FAILURE,
                FILE + " in the data directory " + why
                        + "; mend it, or begin with an empty directory and let the cluster build the copies anew",
                cause);
    }
}
