package dev.fulmar.node.data;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record that a data directory keeps of its format and of the settings that must be the same from start to start.
 * It is in two files with a checksum each, so one damaged, lost or unreadable file keeps no operator from data that are
 * whole.
 */
final class FormatFile {
    static final String NAME = "database.properties";

    /**
     * Name of the copy. Invariant: a writer of the first file changes this one after it, so a first file that is whole
     * is the newer one.
     */
    static final String COPY_NAME = "database.properties.copy";

    static final String FORMAT = "format";
    static final String VERSION = "2";

    /** Of a database with spare partitions, which an earlier version would start without them. */
    static final String VERSION_WITH_SPARES = "3";

    static final String SPARES = "partitions.spare";

    /** Without a checksum; such a file is read, and written anew with one. */
    static final String VERSION_WITHOUT_CHECKSUM = "1";

    private static final Logger LOG = LoggerFactory.getLogger(FormatFile.class);
    private static final String NEW = ".new";
    private static final String CHECKSUM = "checksum=";
    private static final int MOST_BYTES = 1 << 20;

    private final Path directory;
    private final Storage storage;

    FormatFile(Path directory, Storage storage) {
        this.directory = directory;
        this.storage = storage;
    }

    /** Reads the record; empty if there is none yet. Repairs a damaged file from the other. */
    Optional<Map<String, String>> read() throws IOException {
        if (!storage.exists(NAME) && !storage.exists(COPY_NAME)) {
            return Optional.empty();
        }
        String text;
        try {
            text = text(NAME);
        } catch (IOException | FulmarException problem) {
            text = copyInstead(problem);
            LOG.warn(
                    "the file {} in {} is not whole and is written anew from {}: {}",
                    NAME,
                    directory,
                    COPY_NAME,
                    problem.getMessage());
            write(NAME, text);
        }
        mendCopy(text);
        return Optional.of(properties(text));
    }

    /** The same without changing anything; empty also if nothing can be read. */
    Optional<Map<String, String>> look() {
        for (String name : new String[] {NAME, COPY_NAME}) {
            try {
                if (storage.exists(name)) {
                    return Optional.of(properties(text(name)));
                }
            } catch (IOException | FulmarException e) {
                LOG.debug("the file {} cannot tell what the directory holds", name, e);
            }
        }
        return Optional.empty();
    }

    private String copyInstead(Exception problem) throws IOException {
        try {
            if (storage.exists(COPY_NAME)) {
                return text(COPY_NAME);
            }
        } catch (IOException | FulmarException e) {
            problem.addSuppressed(e);
        }
        if (problem instanceof FulmarException known) {
            throw known;
        }
        throw (IOException) problem;
    }

    private void mendCopy(String text) throws IOException {
        String problem = "";
        try {
            if (storage.exists(COPY_NAME) && text(COPY_NAME).equals(text)) {
                return;
            }
            if (storage.exists(COPY_NAME)) {
                problem = "it says something else";
            }
        } catch (IOException | FulmarException e) {
            problem = String.valueOf(e.getMessage());
        }
        if (!problem.isEmpty()) {
            LOG.warn("the file {} in {} is written anew from {}: {}", COPY_NAME, directory, NAME, problem);
        }
        write(COPY_NAME, text);
    }

    /** Says it durably, in both files. */
    void write(Map<String, String> layout) throws IOException {
        StringBuilder text = new StringBuilder("# What this directory holds. Written by Fulmar; not to be changed.\n");
        boolean hasSpares = !layout.getOrDefault(SPARES, "0").equals("0");
        text.append(FORMAT)
                .append('=')
                .append(hasSpares ? VERSION_WITH_SPARES : VERSION)
                .append('\n');
        new TreeMap<>(layout)
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        String checksum = checksumOf(text.toString());
        text.append(CHECKSUM).append(checksum).append('\n');
        write(NAME, text.toString());
        write(COPY_NAME, text.toString());
    }

    private void write(String name, String text) throws IOException {
        try (StorageFile file = storage.open(name + NEW)) {
            file.truncate(0);
            file.write(0, ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
            file.force();
        }
        storage.rename(name + NEW, name);
        storage.forceDirectory("");
    }

    /** All of a file that is whole. */
    private String text(String name) throws IOException {
        if (!storage.exists(name)) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the data directory " + directory.toAbsolutePath() + " has no " + name
                            + "; restore that file from a copy");
        }
        try (StorageFile file = storage.open(name)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.min(file.size(), MOST_BYTES)));
            file.read(0, bytes);
            String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
            check(name, text);
            return text;
        }
    }

    private static Map<String, String> properties(String text) throws IOException {
        int place = text.lastIndexOf(CHECKSUM);
        Properties properties = new Properties();
        properties.load(new StringReader(place < 0 ? text : text.substring(0, place)));
        TreeMap<String, String> texts = new TreeMap<>();
        properties.stringPropertyNames().forEach(name -> texts.put(name, properties.getProperty(name)));
        return texts;
    }

    /** The last line has the checksum of all before it. */
    private void check(String name, String text) {
        int place = text.lastIndexOf(CHECKSUM);
        if (place < 0 && text.contains("\n" + FORMAT + "=" + VERSION_WITHOUT_CHECKSUM + "\n")) {
            return;
        }
        if (place < 0 || !text.substring(place).equals(CHECKSUM + checksumOf(text.substring(0, place)) + "\n")) {
            throw new FulmarException(
                    ErrorCode.CORRUPTION,
                    "the file " + name + " in " + directory.toAbsolutePath()
                            + " is damaged: there is no right checksum at offset " + Math.max(0, place)
                            + "; restore that file from a copy");
        }
    }

    private static String checksumOf(String text) {
        CRC32C checksum = new CRC32C();
        checksum.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return String.format(Locale.ROOT, "%08x", checksum.getValue());
    }
}
