package dev.fulmar.benchmarks.cluster;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A relay in front of a member, which passes on messages in both directions as far as {@link Wires} are not cut. It
 * asks for no privileges, and leaves the machine's network as it is.
 */
final class Relay implements Closeable {
    /**
     * The first frame that a node sends to another: length, magic, version, kind, cluster, and then the number of the
     * node that sends it.
     */
    private static final int SENDER_AT = 4 + 4 + 2 + 1 + 16;

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int BACKLOG = 64;

    private final int member;
    private final int peer;
    private final InetSocketAddress target;
    private final Wires wires;
    private final ServerSocket listening;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private Relay(int member, int peer, InetSocketAddress target, Wires wires) throws IOException {
        this.member = member;
        this.peer = peer;
        this.target = target;
        this.wires = wires;
        this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Before a node, for other nodes, who say who they are. */
    static Relay beforeNode(int node, int port, Wires wires) throws IOException {
        return new Relay(node, -1, loopback(port), wires);
    }

    /** Before the ZooKeeper, for one node. */
    static Relay beforeStore(int node, int port, Wires wires) throws IOException {
        return new Relay(Wires.STORE, node, loopback(port), wires);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** The relay's own address. */
    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listening.accept();
                Thread.ofVirtual().start(() -> serve(from));
            }
        } catch (IOException closed) {
            LOG.debug("the relay before {} ends", member, closed);
        }
    }

    private void serve(Socket from) {
        open.add(from);
        try (from;
                Socket to = new Socket()) {
            open.add(to);
            from.setTcpNoDelay(true);
            to.setTcpNoDelay(true);
            byte[] greeting =
                    peer < 0 ? new DataInputStream(from.getInputStream()).readNBytes(SENDER_AT + 4) : new byte[0];
            if (peer < 0 && greeting.length < SENDER_AT + 4) {
                return;
            }
            int sender = peer < 0 ? ByteBuffer.wrap(greeting).getInt(SENDER_AT) : peer;
            wires.awaitOpen(new Wires.Way(sender, member));
            to.connect(target);
            to.getOutputStream().write(greeting);
            Thread back = Thread.ofVirtual().start(() -> pass(to, from, new Wires.Way(member, sender)));
            pass(from, to, new Wires.Way(sender, member));
            back.join();
        } catch (IOException broken) {
            LOG.debug("a connection to {} ends", member, broken);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
        }
    }

    /** Passes bytes on until either side ends; then both end, but no end crosses a way that is cut. */
    private void pass(Socket from, Socket to, Wires.Way way) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            int length;
            do {
                length = in.read(buffer);
                wires.awaitOpen(way);
                if (length > 0) {
                    out.write(buffer, 0, length);
                }
            } while (length >= 0);
        } catch (IOException broken) {
            LOG.debug("{} ends", way, broken);
        } finally {
            endAfterOpening(to, way);
        }
    }

    private void endAfterOpening(Socket to, Wires.Way way) {
        try {
            wires.awaitOpen(way);
            to.close();
        } catch (IOException e) {
            LOG.debug("{} was closed before", way, e);
        } finally {
            open.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
