package dev.fulmar.client.transfer;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Objects;

/**
 * Writes the part of a dump that needs ADMIN to read. It has the users with the verifiers of their passwords, and the
 * jars of procedures, in the order in which they are loaded.
 */
final class AccessDump {
    private final FulmarClient client;
    private final Path directory;

    AccessDump(FulmarClient client, Path directory) {
        this.client = client;
        this.directory = directory;
    }

    void write() throws IOException {
        try {
            writeUsers();
            ResultTable jars = client.call("@Jars").table();
            for (int number = 1; jars.next(); number++) {
                Path file = directory.resolve(String.format(Locale.ROOT, "procedures-%03d.jar", number));
                writeJar(String.valueOf(jars.getString(0)), jars.getLong(1), file);
            }
        } catch (FulmarException e) {
            if (e.code() != ErrorCode.PERMISSION_DENIED) {
                throw e;
            }
            throw new FulmarException(
                    ErrorCode.PERMISSION_DENIED,
                    "users and jars of procedures are for somebody with ADMIN only (" + e.getMessage()
                            + "); --without-users leaves them out",
                    e);
        }
    }

    private void writeUsers() throws IOException {
        ResultTable users = client.call("@Users").table();
        StringBuilder text = new StringBuilder();
        while (users.next()) {
            text.append(users.getString(1)).append(";\n");
        }
        Path file = directory.resolve(DatabaseDump.USERS_FILE);
        Files.deleteIfExists(file);
        if (text.isEmpty()) {
            return;
        }
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, text);
    }

    private void writeJar(String digest, long length, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long position = 0; position < length; ) {
                byte[] piece = Objects.requireNonNull(client.call("@Jars", digest, Long.toString(position))
                        .table()
                        .first()
                        .getBytes(0));
                out.write(piece);
                position += piece.length;
            }
        }
    }
}
