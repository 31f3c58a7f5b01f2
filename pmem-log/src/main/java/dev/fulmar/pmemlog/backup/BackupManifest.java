package dev.fulmar.pmemlog.backup;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * Manifest of a backup: properties, and its files with their checksums. Lines of text, the last of which is a checksum
 * of those before.
 *
 * @param properties by name, neither with spaces or line ends
 */
public record BackupManifest(SortedMap<String, String> properties, List<BackupFile> files) {
    /** The manifest's name in its backup. */
    public static final String NAME = "manifest";

    private static final String NEW_NAME = "manifest.new";
    private static final String FIRST_LINE = "fulmar-backup 1";
    private static final String PROPERTY = "property ";
    private static final String FILE = "file ";
    private static final String END = "end ";
    private static final int HEXADECIMAL = 16;
    private static final int MOST_BYTES = 1 << 30;

    public BackupManifest {
        properties = new TreeMap<>(properties);
        files = List.copyOf(files);
    }

    /** The property's number; fails if there is none. */
    public long number(String property) {
        try {
            return Long.parseLong(properties.getOrDefault(property, ""));
        } catch (NumberFormatException e) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the backup's manifest says no " + property + "; use the version of Fulmar that made it",
                    e);
        }
    }

    /** Makes the backup one, with one change of a name. Everything that it names is durable. */
    public void writeTo(Storage backup) throws IOException {
        StringBuilder text = new StringBuilder(FIRST_LINE).append('\n');
        properties.forEach((name, value) ->
                text.append(PROPERTY).append(name).append(' ').append(value).append('\n'));
        for (BackupFile file : files) {
            text.append(FILE).append(file.name()).append(' ').append(file.bytes());
            file.checksums().forEach(sum -> text.append(' ').append(Integer.toHexString(sum)));
            text.append('\n');
        }
        String sum = checksum(text.toString());
        text.append(END).append(sum).append('\n');
        try (StorageFile file = backup.open(NEW_NAME)) {
            file.truncate(0);
            file.write(0, ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
            file.force();
        }
        backup.rename(NEW_NAME, NAME);
        backup.forceDirectory("");
    }

    private static String checksum(String text) {
        CRC32C sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    /**
     * Reads the manifest of the backup. Fails if it is absent, so that the backup is not whole, or not what was
     * written.
     */
    public static BackupManifest read(Storage backup) {
        try {
            if (!backup.exists(NAME)) {
                throw new FulmarException(
                        ErrorCode.CORRUPTION,
                        "there is no " + NAME + ": this is no backup, or one that was not finished; take another one");
            }
            try (StorageFile file = backup.open(NAME)) {
                long size = file.size();
                if (size > MOST_BYTES) {
                    throw damaged(0);
                }
                ByteBuffer bytes = ByteBuffer.allocate((int) size);
                file.read(0, bytes);
                return parse(new String(bytes.array(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "cannot read " + NAME + " of the backup: " + e.getMessage() + "; check the device",
                    e);
        }
    }

    private static BackupManifest parse(String text) {
        int end = text.lastIndexOf(END);
        if (end < 0 || !text.substring(end).equals(END + checksum(text.substring(0, end)) + "\n")) {
            throw damaged(Math.max(0, end));
        }
        if (!text.startsWith(FIRST_LINE + "\n")) {
            throw new FulmarException(
                    ErrorCode.VERSION_MISMATCH,
                    "the backup has a format that this version of Fulmar does not know; use the version that made it");
        }
        SortedMap<String, String> properties = new TreeMap<>();
        List<BackupFile> files = new ArrayList<>();
        for (String line : text.substring(FIRST_LINE.length() + 1, end).split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (line.startsWith(PROPERTY) && words.length == 3) {
                properties.put(words[1], words[2]);
            } else if (line.startsWith(FILE) && words.length >= 3) {
                List<Integer> checksums = new ArrayList<>();
                for (int i = 3; i < words.length; i++) {
                    checksums.add(Integer.parseUnsignedInt(words[i], HEXADECIMAL));
                }
                files.add(new BackupFile(words[1], Long.parseLong(words[2]), checksums));
            }
        }
        return new BackupManifest(properties, files);
    }

    private static FulmarException damaged(int offset) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the backup is corrupt in " + NAME + " at offset " + offset
                        + ": it is not what was written; use another backup");
    }
}
