package dev.fulmar.benchmarks.experiment;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/** Speed of the network alone: a process that echoes messages, and its client. */
final class EchoNode {
    private static final int MESSAGE_BYTES = 256;
    private static final int SIGNIFICANT_DIGITS = 3;

    private EchoNode() {}

    /** Runs until standard input ends. */
    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        System.out.println(ChildNode.PORT + server.socket().getLocalPort());
        Thread.ofPlatform().daemon().start(() -> serve(server));
        System.in.transferTo(OutputStream.nullOutputStream());
    }

    private static void serve(ServerSocketChannel server) {
        try (SocketChannel client = server.accept()) {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);
            while (client.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    client.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException e) {
            throw new IllegalStateException("the echo broke off", e);
        }
    }

    /** A connection to an echo. */
    static final class Client implements AutoCloseable {
        private final SocketChannel channel;
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(MESSAGE_BYTES);

        Client(int port) throws IOException {
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }

        /** Round trips for so long, one after the other, each in nanoseconds. */
        Histogram measure(long durationNanos) throws IOException {
            Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
            long begin = System.nanoTime();
            long now = begin;
            while (now - begin < durationNanos) {
                long before = now;
                buffer.clear();
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
                buffer.clear();
                while (buffer.hasRemaining()) {
                    if (channel.read(buffer) < 0) {
                        throw new IOException("the echo has gone");
                    }
                }
                now = System.nanoTime();
                nanos.recordValue(now - before);
            }
            return nanos;
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
