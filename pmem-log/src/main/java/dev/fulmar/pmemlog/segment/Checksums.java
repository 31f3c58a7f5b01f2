package dev.fulmar.pmemlog.segment;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C of parts of buffers, which keep their positions. */
final class Checksums {
    private Checksums() {}

    static int of(ByteBuffer buffer, int offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(buffer.slice(offset, length));
        return (int) checksum.getValue();
    }
}
