package dev.fulmar.coordinator.participation;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Identity of the cluster and node to which a directory's data belong. It is a file beside the log, written once, when
 * the node takes its place in a cluster for the first time. The file has it twice, each time with a checksum, so that
 * one damaged byte neither keeps the node away nor makes it take its data for those of another cluster.
 *
 * @param clusterId of the cluster
 * @param node number in it
 * @param life of the copies that began then
 */
public record MemberIdentity(UUID clusterId, int node, long life) {
    private static final String FILE = "member.properties";
    private static final String NEW_FILE = "member.properties.new";
    private static final Charset ENCODING = StandardCharsets.ISO_8859_1;

    /** Begins a line of format version 2, before the words cluster, node, life and checksum. */
    private static final String LINE = "member 2 ";

    private static final int LINES = 2;
    private static final int HEXADECIMAL = 16;

    // Names of version 1, a file of properties without a checksum.
    private static final String CLUSTER = "cluster";
    private static final String NODE = "node";
    private static final String LIFE = "life";

    /**
     * Reads the directory's identity; empty if its data belong to no cluster yet. An identity that is damaged, or of an
     * earlier version, is written anew.
     */
    public static Optional<MemberIdentity> read(Storage storage) {
        String text;
        try {
            if (!storage.exists(FILE)) {
                return Optional.empty();
            }
            try (StorageFile file = storage.open(FILE)) {
                ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(file.size()));
                file.read(0, bytes);
                text = new String(bytes.array(), ENCODING);
            }
        } catch (IOException e) {
            throw unusable("cannot be read: " + e.getMessage(), e);
        }
        MemberIdentity identity = of(text);
        if (!identity.text().equals(text)) {
            identity.write(storage);
        }
        return Optional.of(identity);
    }

    private static MemberIdentity of(String text) {
        List<MemberIdentity> whole = text.lines()
                .map(MemberIdentity::ofLine)
                .flatMap(Optional::stream)
                .toList();
        return whole.isEmpty() ? ofFirstVersion(text) : whole.getFirst();
    }

    /** Empty if the line is a comment, or damaged. */
    private static Optional<MemberIdentity> ofLine(String line) {
        int end = line.lastIndexOf(' ');
        if (!line.startsWith(LINE)
                || end < LINE.length()
                || !line.substring(end + 1).equals(checksum(line.substring(0, end)))) {
            return Optional.empty();
        }
        String[] words = line.substring(LINE.length(), end).split(" ", -1);
        return Optional.of(
                new MemberIdentity(UUID.fromString(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2])));
    }

    private static MemberIdentity ofFirstVersion(String text) {
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(text));
            return new MemberIdentity(
                    UUID.fromString(properties.getProperty(CLUSTER, "")),
                    Integer.parseInt(properties.getProperty(NODE, "")),
                    Long.parseLong(properties.getProperty(LIFE, "")));
        } catch (IOException | IllegalArgumentException e) {
            throw unusable("is damaged", e);
        }
    }

    private static String checksum(String line) {
        CRC32C sum = new CRC32C();
        sum.update(line.getBytes(ENCODING));
        return Long.toString(sum.getValue(), HEXADECIMAL);
    }

    private String text() {
        String line = LINE + clusterId + " " + node + " " + life;
        return "# Whose data this directory holds. Written by Fulmar; not to be changed.\n"
                + (line + " " + checksum(line) + "\n\n").repeat(LINES); // no single byte joins the two
    }

    /** Writes it down, durably. */
    public void write(Storage storage) {
        try {
            try (StorageFile file = storage.open(NEW_FILE)) {
                file.truncate(0);
                file.write(0, ByteBuffer.wrap(text().getBytes(ENCODING)));
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
