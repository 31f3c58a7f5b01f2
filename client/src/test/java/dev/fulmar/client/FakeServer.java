package dev.fulmar.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.frame.FrameFormat;
import dev.fulmar.wire.frame.FrameKind;
import dev.fulmar.wire.limit.WireLimits;
import dev.fulmar.wire.proto.Bind;
import dev.fulmar.wire.proto.CatalogVersion;
import dev.fulmar.wire.proto.Goodbye;
import dev.fulmar.wire.proto.Hello;
import dev.fulmar.wire.proto.Host;
import dev.fulmar.wire.proto.ProcedureCall;
import dev.fulmar.wire.proto.ProcedureReply;
import dev.fulmar.wire.proto.ResultKind;
import dev.fulmar.wire.proto.StatementCall;
import dev.fulmar.wire.proto.Welcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server of which a test decides every answer. Calls of {@code Echo} are answered at once, all others wait for the
 * test.
 */
final class FakeServer implements AutoCloseable {
    private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();
    private final List<Session> sessions = new CopyOnWriteArrayList<>();

    /** Is bound and never listens: no other process of the machine is given the port while the server is stopped. */
    private final Socket reservation = new Socket();

    private final int port;

    private volatile @Nullable ServerSocket listening;
    private volatile CompletableFuture<Void> accepting = CompletableFuture.completedFuture(null);
    volatile long incarnation = 1;
    volatile int node;
    volatile ByteString cluster = ByteString.EMPTY;
    volatile List<Host> hosts = List.of();
    volatile WireLimits limits = WireLimits.DEFAULT;

    /** What clients are welcomed with; 0 for a server that does not tell. */
    volatile long catalogVersion;

    /** Answers to Hello; null welcomes. */
    volatile @Nullable MessageLite refusal;

    /** A call that arrived; {@code name} is the procedure or the statement. */
    record Call(
            Session session,
            long clientId,
            long requestId,
            String name,
            byte[] parameters,
            int timeoutMillis,
            long catalogVersion) {
        void answer(long value) throws IOException {
            session.send(
                    FrameKind.PROCEDURE_REPLY,
                    ProcedureReply.newBuilder()
                            .setRequestId(requestId)
                            .setKind(ResultKind.VALUE)
                            .setValue(value)
                            .build());
        }

        void fail(ErrorCode code, String message) throws IOException {
            session.send(
                    FrameKind.PROCEDURE_REPLY,
                    ProcedureReply.newBuilder()
                            .setRequestId(requestId)
                            .setStatus(code.number())
                            .setMessage(message)
                            .build());
        }

        void failWithNode(int lostNode) throws IOException {
            session.send(
                    FrameKind.PROCEDURE_REPLY,
                    ProcedureReply.newBuilder()
                            .setRequestId(requestId)
                            .setStatus(ErrorCode.NODE_LOST.number())
                            .setMessage("the link to node " + lostNode + " broke")
                            .setLostNode(lostNode)
                            .build());
        }
    }

    FakeServer() throws IOException {
        reservation.setReuseAddress(true);
        reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        port = reservation.getLocalPort();
        reopen();
    }

    int port() {
        return port;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    List<Session> sessions() {
        return sessions;
    }

    Call next() throws InterruptedException {
        Call call = calls.poll(10, TimeUnit.SECONDS);
        if (call == null) {
            throw new AssertionError("no call came");
        }
        return call;
    }

    @Nullable Call nextWithin(long millis) throws InterruptedException {
        return calls.poll(millis, TimeUnit.MILLISECONDS);
    }

    /** Breaks all connections. A connection that a client makes meanwhile lives on, until this breaks it next time. */
    void breakConnections() throws IOException {
        for (Session session : sessions) {
            session.socket.close();
            sessions.remove(session);
        }
    }

    /** Listens no more, breaks all connections and gives the port back. */
    @Override
    public void close() throws IOException {
        stop();
        reservation.close();
    }

    /** Listens no more and breaks all connections; clients are refused until {@link #reopen}. */
    void stop() throws IOException {
        ServerSocket socket = listening;
        if (socket != null) {
            socket.close();
        }
        accepting.join(); // a connection may arrive until the thread has left accept()
        breakConnections();
    }

    /** Listens again at the same port. */
    void reopen() throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        listening = socket;
        accepting = CompletableFuture.runAsync(() -> accept(socket), Thread::startVirtualThread);
    }

    private void accept(ServerSocket socket) {
        try {
            while (true) {
                Session session = new Session(socket.accept());
                sessions.add(session);
                Thread.ofVirtual().start(session::run);
            }
        } catch (IOException closed) {
            // The test stopped the server.
        }
    }

    /** One connection. */
    final class Session {
        private final Socket socket;
        private final Map<Integer, String> bound = new ConcurrentHashMap<>();
        private long clientId;

        Session(Socket socket) {
            this.socket = socket;
        }

        void sayGoodbye() throws IOException {
            send(FrameKind.GOODBYE, Goodbye.getDefaultInstance());
        }

        void tellCatalog(long version) throws IOException {
            send(
                    FrameKind.CATALOG,
                    CatalogVersion.newBuilder().setVersion(version).build());
        }

        void close() throws IOException {
            socket.close();
        }

        int numberOf(String procedure) {
            return bound.entrySet().stream()
                    .filter(entry -> entry.getValue().equals(procedure))
                    .findFirst()
                    .orElseThrow()
                    .getKey();
        }

        void send(FrameKind kind, MessageLite message) throws IOException {
            ByteBuf out = Unpooled.buffer();
            FrameFormat.write(out, kind, message);
            socket.getOutputStream().write(ByteBufUtil.getBytes(out));
        }

        private void run() {
            try {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                while (true) {
                    int length = Integer.reverseBytes(in.readInt());
                    in.readByte();
                    FrameKind kind = FrameKind.ofNumber(in.readByte());
                    handle(kind, in.readNBytes(length - 2));
                }
            } catch (IOException broken) {
                sessions.remove(this);
            }
        }

        private void handle(@Nullable FrameKind kind, byte[] message) throws IOException {
            if (kind == FrameKind.HELLO) {
                clientId = Hello.parseFrom(message).getClientId();
                MessageLite refused = refusal;
                if (refused != null) {
                    send(FrameKind.CONNECTION_ERROR, refused);
                    socket.close();
                    return;
                }
                send(
                        FrameKind.WELCOME,
                        Welcome.newBuilder()
                                .setVersion(1)
                                .setNode(node)
                                .setIncarnation(incarnation)
                                .setLimits(limits.toMessage())
                                .setCatalogVersion(catalogVersion)
                                .setCluster(cluster)
                                .addAllHosts(hosts)
                                .build());
            } else if (kind == FrameKind.BIND) {
                Bind bind = Bind.parseFrom(message);
                bound.put(bind.getNumber(), bind.getProcedure());
            } else if (kind == FrameKind.PROCEDURE_CALL) {
                ProcedureCall call = ProcedureCall.parseFrom(message);
                String name = call.getProcedureNumber() == 0
                        ? "unbound " + call.getProcedure()
                        : String.valueOf(bound.get(call.getProcedureNumber()));
                take(new Call(
                        this,
                        clientId,
                        call.getRequestId(),
                        name,
                        call.getParameters().toByteArray(),
                        call.getTimeoutMillis(),
                        call.getCatalogVersion()));
            } else if (kind == FrameKind.STATEMENT_CALL) {
                StatementCall call = StatementCall.parseFrom(message);
                take(new Call(
                        this,
                        clientId,
                        call.getRequestId(),
                        call.getSql(),
                        call.getParameters().toByteArray(),
                        call.getTimeoutMillis(),
                        call.getCatalogVersion()));
            }
        }

        private void take(Call call) throws IOException {
            if (call.name().equals("Echo")) {
                call.answer(call.parameters().length);
            } else {
                calls.add(call);
            }
        }
    }
}
