package dev.fulmar.pmemlog.checkpoint;

import java.util.zip.CRC32C;

/** CRC32C of parts of arrays. */
final class Checksum {
    private Checksum() {}

    static int of(byte[] array, int offset, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(array, offset, length);
        return (int) checksum.getValue();
    }
}
