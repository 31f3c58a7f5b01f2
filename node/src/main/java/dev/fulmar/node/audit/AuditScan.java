package dev.fulmar.node.audit;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Content of an audit log. The log is read as bytes, so any damage is found and none breaks the reader.
 *
 * @param lines that follow from those before them, up to the first that does not
 * @param chain digest of the last of them
 * @param wholeBytes where the last of them ends
 * @param incompleteBytes bytes after the last end of a line: what was being written when the process or the machine
 *     died
 * @param badLine number of the first line that does not follow from those before it; 0 if all do
 */
public record AuditScan(long lines, String chain, long wholeBytes, long incompleteBytes, long badLine) {
    /** Digest from which the first line of a file follows. */
    static final String FIRST_CHAIN = "0".repeat(64);

    /** No line is longer: user and text are cut when they are written. */
    private static final int LONGEST_LINE_BYTES = 1 << 16;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final byte[] BEFORE_CHAIN = ",\"chain\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] AFTER_CHAIN = "\"}".getBytes(StandardCharsets.US_ASCII);
    private static final int CHAIN_CHARACTERS = 64;
    private static final int END_BYTES = BEFORE_CHAIN.length + CHAIN_CHARACTERS + AFTER_CHAIN.length;

    /** Whether every line follows from those before it. */
    public boolean isWhole() {
        return badLine == 0;
    }

    /** Reads all of the file. */
    public static AuditScan of(Path path) throws IOException {
        return of(path, Long.MAX_VALUE);
    }

    /**
     * Reads the end of the file.
     *
     * @param mostBytes how many bytes to read; the first whole line among them is believed if they are not all
     */
    static AuditScan of(Path path, long mostBytes) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            long start = Math.max(0, file.size() - mostBytes);
            return new Reader(file, start).read();
        }
    }

    /** Digest of a line, without its own, and of the digest before. */
    static String digest(String before, byte[] line, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(before.getBytes(StandardCharsets.US_ASCII));
            digest.update(line, 0, length);
            digest.update((byte) '}');
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new FulmarException(ErrorCode.INTERNAL, "this Java runtime lacks SHA-256; use a complete one", e);
        }
    }

    /** One pass. */
    private static final class Reader {
        private final FileChannel file;
        private final long start;
        private final ByteArrayOutputStream line = new ByteArrayOutputStream();
        private boolean skips;
        private boolean believes;
        private String chain = FIRST_CHAIN;
        private long lines;
        private long wholeBytes;
        private long badLine;

        Reader(FileChannel file, long start) {
            this.file = file;
            this.start = start;
            this.skips = start > 0;
            this.believes = start > 0;
            this.wholeBytes = start;
        }

        AuditScan read() throws IOException {
            ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
            long position = start;
            for (int count = file.read(buffer, position); count > 0; count = file.read(buffer, position)) {
                for (int index = 0; index < count && badLine == 0; index++) {
                    take(buffer.get(index), position + index + 1);
                }
                position += count;
                buffer.clear();
            }
            return new AuditScan(lines, chain, wholeBytes, badLine == 0 ? position - wholeBytes : 0, badLine);
        }

        private void take(byte value, long end) {
            if (value == '\n') {
                ended(end);
            } else if (line.size() < LONGEST_LINE_BYTES) {
                line.write(value);
            } else if (!skips) {
                badLine = lines + 1;
            }
        }

        private void ended(long end) {
            byte[] bytes = line.toByteArray();
            line.reset();
            if (skips) {
                skips = false;
                wholeBytes = end;
                return;
            }
            int place = bytes.length - END_BYTES;
            boolean hasForm = place > 0
                    && matches(bytes, place, BEFORE_CHAIN)
                    && matches(bytes, bytes.length - AFTER_CHAIN.length, AFTER_CHAIN);
            String found = hasForm
                    ? new String(bytes, place + BEFORE_CHAIN.length, CHAIN_CHARACTERS, StandardCharsets.ISO_8859_1)
                    : "";
            if (!hasForm || !(believes || digest(chain, bytes, place).equals(found))) {
                badLine = lines + 1;
                return;
            }
            believes = false;
            chain = found;
            lines++;
            wholeBytes = end;
        }

        private static boolean matches(byte[] bytes, int place, byte[] wanted) {
            return Arrays.equals(bytes, place, place + wanted.length, wanted, 0, wanted.length);
        }
    }
}
