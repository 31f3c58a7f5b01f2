package dev.fulmar.pmemlog.backup;

import java.util.List;

/**
 * A file of a backup.
 *
 * @param name name in the backup
 * @param bytes its size
 * @param checksums CRC32C of each piece of {@link #PIECE_BYTES}, the last one shorter
 */
public record BackupFile(String name, long bytes, List<Integer> checksums) {
    /** Bytes that have a checksum together. */
    public static final int PIECE_BYTES = 1 << 20;

    public BackupFile {
        checksums = List.copyOf(checksums);
    }

    /** Number of pieces of a file of so many bytes. */
    static long pieces(long bytes) {
        return (bytes + PIECE_BYTES - 1) / PIECE_BYTES;
    }
}
