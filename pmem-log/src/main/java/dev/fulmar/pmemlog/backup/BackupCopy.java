package dev.fulmar.pmemlog.backup;

import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** Copies files into a backup, each with checksums of what was read, and makes them durable. One thread. */
public final class BackupCopy {
    /** One force of a large file would hold up the log's writes to the same device for seconds. */
    private static final int PIECES_PER_FORCE = 8;

    private final Storage source;
    private final Storage target;
    private final LongConsumer copied;
    private final List<BackupFile> files = new ArrayList<>();
    private final ByteBuffer piece = ByteBuffer.allocateDirect(BackupFile.PIECE_BYTES);

    /** @param copied hears how many bytes more are copied */
    public BackupCopy(Storage source, Storage target, LongConsumer copied) {
        this.source = source;
        this.target = target;
        this.copied = copied;
    }

    /** Copies a file that does not change, under its own name. */
    public void file(String name) throws IOException {
        try (StorageFile from = source.open(name)) {
            copy(from, name, from.size());
        }
    }

    /**
     * Copies the beginning of a file to which more is being written; the copy is as large as the file, with zeros for
     * the rest.
     */
    public void beginning(String name, long bytes) throws IOException {
        try (StorageFile from = source.open(name)) {
            copy(from, name, bytes);
        }
    }

    private void copy(StorageFile from, String name, long bytes) throws IOException {
        long size = from.size();
        List<Integer> checksums = new ArrayList<>();
        try (StorageFile to = target.open(name)) {
            to.truncate(0);
            for (long offset = 0; offset < size; offset += piece.capacity()) {
                piece.clear().limit((int) Math.min(piece.capacity(), size - offset));
                read(from, offset, bytes, name);
                checksums.add(checksum(piece));
                copied.accept(piece.remaining());
                to.write(offset, piece);
                if (checksums.size() % PIECES_PER_FORCE == 0) {
                    to.force();
                }
            }
            to.force();
        }
        files.add(new BackupFile(name, size, checksums));
    }

    /** Fills the piece from the file as far as it counts, with zeros behind. */
    private void read(StorageFile from, long offset, long bytes, String name) throws IOException {
        int limit = piece.limit();
        int counting = Math.clamp(bytes - offset, 0, limit);
        piece.limit(counting);
        if (from.read(offset, piece) < counting) {
            throw new EOFException(name + " became shorter than " + bytes + " bytes while it was copied");
        }
        piece.limit(limit);
        while (piece.hasRemaining()) {
            piece.put((byte) 0);
        }
        piece.flip();
    }

    static int checksum(ByteBuffer bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes.duplicate());
        return (int) sum.getValue();
    }

    /** Notes a file that was written to the backup by other means. */
    public void written(String name) throws IOException {
        List<Integer> checksums = new ArrayList<>();
        try (StorageFile file = target.open(name)) {
            long size = file.size();
            for (long offset = 0; offset < size; offset += piece.capacity()) {
                piece.clear().limit((int) Math.min(piece.capacity(), size - offset));
                read(file, offset, size, name);
                checksums.add(checksum(piece));
            }
            file.force();
            files.add(new BackupFile(name, size, checksums));
        }
    }

    /** Files that were copied. */
    public List<BackupFile> files() {
        return files;
    }
}
