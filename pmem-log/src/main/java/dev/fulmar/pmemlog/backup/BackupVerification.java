package dev.fulmar.pmemlog.backup;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.storage.Storage;
import dev.fulmar.foundation.storage.Storage.StorageFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** Compares a backup with its manifest. */
public final class BackupVerification {
    private final Storage backup;
    private final LongConsumer read;
    private final ByteBuffer piece = ByteBuffer.allocateDirect(BackupFile.PIECE_BYTES);

    /** @param read hears how many bytes more were read */
    public BackupVerification(Storage backup, LongConsumer read) {
        this.backup = backup;
        this.read = read;
    }

    /** Reads every byte; fails with the first file and offset that is not what was written. */
    public BackupManifest run() {
        BackupManifest manifest = BackupManifest.read(backup);
        manifest.files().forEach(this::check);
        return manifest;
    }

    private void check(BackupFile expected) {
        String name = expected.name();
        try {
            if (!backup.exists(name)) {
                throw damaged(name, 0, "the file is missing");
            }
            try (StorageFile file = backup.open(name)) {
                long size = file.size();
                checkPieces(expected, file);
                if (size != expected.bytes() || expected.checksums().size() != BackupFile.pieces(size)) {
                    throw damaged(
                            name,
                            Math.min(size, expected.bytes()),
                            "the file has " + size + " bytes but had " + expected.bytes());
                }
            }
        } catch (IOException e) {
            throw new FulmarException(
                    ErrorCode.STORAGE_FAILURE,
                    "cannot read " + name + " of the backup: " + e.getMessage() + "; check the device",
                    e);
        }
    }

    private void checkPieces(BackupFile expected, StorageFile file) throws IOException {
        long offset = 0;
        for (int checksum : expected.checksums()) {
            int wanted = (int) Math.min(piece.capacity(), expected.bytes() - offset);
            piece.clear().limit(wanted);
            int present = file.read(offset, piece);
            if (present < wanted) {
                throw damaged(
                        name(expected), offset + present, "the file ends, but had " + expected.bytes() + " bytes");
            }
            if (BackupCopy.checksum(piece.flip()) != checksum) {
                throw damaged(
                        name(expected),
                        offset,
                        "the checksum of the " + wanted + " bytes from there on is another one");
            }
            read.accept(wanted);
            offset += wanted;
        }
    }

    private static String name(BackupFile file) {
        return file.name();
    }

    private static FulmarException damaged(String name, long offset, String reason) {
        return new FulmarException(
                ErrorCode.CORRUPTION,
                "the backup is corrupt in " + name + " at offset " + offset + ": " + reason + "; use another backup");
    }
}
