package dev.fulmar.it.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Forwards TCP connections to a port of this machine. While it is cut, nothing comes through and nobody is told. */
final class CutProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 14;

    private final ServerSocket listening;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean isCut;

    CutProxy(int target) throws IOException {
        this.target = target;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    void cut() {
        isCut = true;
    }

    /** Connections are possible again; those of before are over. */
    void heal() throws IOException {
        isCut = false;
        breakAll();
    }

    private void breakAll() throws IOException {
        for (Socket socket : open) {
            open.remove(socket);
            socket.close();
        }
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
                open.add(client);
                if (!isCut) {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                    open.add(server);
                    Thread.ofVirtual().start(() -> forward(client, server));
                    Thread.ofVirtual().start(() -> forward(server, client));
                }
            }
        } catch (IOException closed) {
            // The test closed the proxy, or its target is gone, which the test then finds.
        }
    }

    private void forward(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (!isCut) {
                    out.write(buffer, 0, count);
                }
            }
        } catch (IOException broken) {
            open.remove(from);
        }
        open.remove(to);
    }
}
