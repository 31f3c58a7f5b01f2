package dev.fulmar.benchmarks.failstop;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The ports at which a process of this machine listens, as Linux tells. */
public final class ListeningPorts {
    private static final String LISTENING = "0A";
    private static final int MILLIS = 300;
    private static final byte[] REQUEST = "GET /metrics HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private ListeningPorts() {}

    /** Each of them, in no order. */
    public static List<Integer> of(long process) throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
            for (Path file : files.toList()) {
                if (Files.isSymbolicLink(file)) {
                    sockets.add(Files.readSymbolicLink(file).toString());
                }
            }
        }
        List<Integer> ports = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process), "net", table))) {
                String[] fields = line.strip().split(" +");
                if (fields[3].equals(LISTENING) && sockets.contains("socket:[" + fields[9] + "]")) {
                    ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
                }
            }
        }
        return ports;
    }

    /** Wakes the threads that accept connections, by one connection at each port but one. */
    static void knock(long process, int spared) {
        try {
            for (int port : of(process)) {
                if (port != spared) {
                    knockAt(port);
                }
            }
        } catch (IOException gone) {
            // So is whoever would have been woken.
        }
    }

    private static void knockAt(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MILLIS);
            socket.getOutputStream().write(REQUEST);
        } catch (IOException refused) {
            // Whether the node serves is asked otherwise.
        }
    }
}
