package dev.fulmar.benchmarks.hostile;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Sends bytes that are no requests. The server may answer and close that connection; nothing else may happen. */
final class HostileFrames {
    private static final int READ_TIMEOUT_MILLIS = 5_000;
    private static final int SMALL_BYTES = 64;
    private static final int LARGE_BYTES = 100_000;

    private final String host;
    private final int port;
    private final RandomGenerator random;

    HostileFrames(String host, int port, RandomGenerator random) {
        this.host = host;
        this.port = port;
        this.random = random;
    }

    /** Makes connections that send nonsense; returns how many were made. */
    int send(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            try (Socket socket = new Socket(host, port)) {
                socket.setSoTimeout(READ_TIMEOUT_MILLIS);
                OutputStream out = socket.getOutputStream();
                for (byte[] part : nonsense(i)) {
                    out.write(part);
                }
                out.flush();
                if (i % 3 == 0) {
                    socket.shutdownOutput();
                    socket.getInputStream().readNBytes(SMALL_BYTES);
                }
            } catch (java.net.SocketException | java.net.SocketTimeoutException e) {
                // The server closed the connection, or keeps waiting for the rest of a frame: both are right.
                continue;
            }
        }
        return connections;
    }

    private List<byte[]> nonsense(int number) {
        List<byte[]> parts = new ArrayList<>();
        switch (number % 5) {
            case 0 -> parts.add(bytes(SMALL_BYTES));
            case 1 -> parts.add(bytes(LARGE_BYTES));
            case 2 -> parts.add(new byte[] {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, 1, 2, 3});
            case 3 -> parts.add(new byte[] {0, 0, 0, 0, 0, 0, 0, 0});
            default ->
                parts.add("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        return parts;
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
