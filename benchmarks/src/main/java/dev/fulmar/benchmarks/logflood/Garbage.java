package dev.fulmar.benchmarks.logflood;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Bytes that a stranger sends to a port that is not meant for it. */
enum Garbage {
    RANDOM,
    HTTP,
    HALF_FRAME,
    TLS_HELLO,
    NOTHING;

    private static final int MOST_RANDOM_BYTES = 512;
    private static final int HELLO_BYTES = 512;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final int CLIENT_HELLO = 1;
    private static final short TLS_1_0 = 0x0301;
    private static final short TLS_1_2 = 0x0303;
    private static final int RECORD_HEADER_BYTES = 5;
    private static final int HANDSHAKE_HEADER_BYTES = 4;

    /** All bytes of a connection; the same for the same state of the random numbers. */
    byte[] bytes(SplittableRandom random) {
        return switch (this) {
            case RANDOM -> random(random, 1 + random.nextInt(MOST_RANDOM_BYTES));
            case HTTP ->
                ("GET /" + Long.toHexString(random.nextLong()) + " HTTP/1.1\r\nHost: somewhere\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
            case HALF_FRAME -> {
                byte[] beginning = random(random, 1 + random.nextInt(16));
                yield ByteBuffer.allocate(Integer.BYTES + beginning.length)
                        .putInt(2 * beginning.length)
                        .put(beginning)
                        .array();
            }
            case TLS_HELLO -> hello(random);
            case NOTHING -> new byte[0];
        };
    }

    private static byte[] random(SplittableRandom random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] hello(SplittableRandom random) {
        int body = HELLO_BYTES - RECORD_HEADER_BYTES - HANDSHAKE_HEADER_BYTES;
        return ByteBuffer.allocate(HELLO_BYTES)
                .put((byte) TLS_HANDSHAKE)
                .putShort(TLS_1_0)
                .putShort((short) (HELLO_BYTES - RECORD_HEADER_BYTES))
                .putInt(CLIENT_HELLO << 24 | body)
                .putShort(TLS_1_2)
                .put(random(random, body - Short.BYTES))
                .array();
    }
}
