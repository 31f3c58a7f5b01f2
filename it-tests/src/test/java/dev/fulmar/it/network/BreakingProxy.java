package dev.fulmar.it.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Forwards TCP connections to a port of this machine and breaks them when it is told to, in the middle of whatever
 * flows.
 */
final class BreakingProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 14;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    BreakingProxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** Breaks all connections; returns how many there were. */
    int breakAll() {
        List<Socket> broken = new ArrayList<>(open);
        broken.forEach(this::breakUp);
        return broken.size() / 2;
    }

    @Override
    public void close() throws IOException {
        listening.close();
        breakAll();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                for (Socket socket : List.of(client, server)) {
                    socket.setTcpNoDelay(true);
                    open.add(socket);
                }
                Thread.ofVirtual().start(() -> forward(client, server));
                Thread.ofVirtual().start(() -> forward(server, client));
            }
        } catch (IOException closed) {
            breakAll();
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException broken) {
            breakUp(from);
        }
        breakUp(to);
    }

    private void breakUp(Socket socket) {
        open.remove(socket);
        try {
            // A reset: bytes on the way are lost, as they are when a machine dies.
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyClosed) {
            open.remove(socket);
        }
    }
}
