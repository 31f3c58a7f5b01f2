package dev.fulmar.benchmarks.exhaustion;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** Connections of strangers who say nothing. For one thread. */
final class IdleConnections {
    private static final int CONNECT_MILLIS = 200;

    private final List<Socket> open = new ArrayList<>();

    /** One more to each port, as far as it is taken. */
    void add(List<Integer> ports) throws IOException {
        for (int port : ports) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
                open.add(socket);
            } catch (IOException refused) { // the node takes no more, which is what it may do
                socket.close();
            }
        }
    }

    void end() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        open.clear();
    }
}
