package dev.fulmar.simulator.postgres;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.session.ClientIdentity;
import dev.fulmar.postgres.session.ClientOutput;
import dev.fulmar.postgres.session.PostgresSession;
import dev.fulmar.postgres.session.SessionServices;
import dev.fulmar.postgres.session.SessionThread;
import dev.fulmar.wire.postgres.codec.BackendEncoder;
import dev.fulmar.wire.postgres.codec.FrontendDecoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The node's end of a connection: a session of the front end with its codec. The network takes little at once, so that
 * results wait for their client again and again.
 */
public final class ServerEnd implements ClientOutput {
    private static final int MESSAGE_BYTES = 1 << 20;
    private static final int PIECE_BYTES = 96;
    private static final int MOST_UNDER_WAY = 3;

    private final SessionServices services;
    private final ClientIdentity identity;
    private final SessionThread thread;
    private final Consumer<byte[]> toClient;
    private final Runnable closed;
    private final FrontendDecoder decoder = new FrontendDecoder(new UnpooledByteBufAllocator(false));
    private ByteBuf out = Unpooled.buffer(PIECE_BYTES);
    private @Nullable PostgresSession session;
    private long sentBytes;
    private int underWay;
    private boolean isOver;

    /**
     * @param clientId first half of the handles of its requests
     * @param toClient takes pieces of what is sent
     * @param closed told when the server closes the connection, behind what it has sent
     */
    public ServerEnd(
            SessionServices services, long clientId, SessionThread thread, Consumer<byte[]> toClient, Runnable closed) {
        this.services = services;
        this.identity = new ClientIdentity(Caller.TRUSTED, "simulated", "fulmar", clientId, "simulation");
        this.thread = thread;
        this.toClient = toClient;
        this.closed = closed;
    }

    /** Takes bytes of the client. */
    public void take(byte[] bytes) {
        if (isOver) {
            return;
        }
        try {
            decoder.decode(Unpooled.wrappedBuffer(bytes), this::message);
        } catch (FulmarException e) {
            send(PostgresSession.fatal(e));
            close();
        }
    }

    private boolean message(FrontendMessage message) {
        PostgresSession open = session;
        if (open != null) {
            open.take(message);
        } else if (message instanceof FrontendMessage.StartupMessage start) {
            decoder.messageLimitBytes(MESSAGE_BYTES);
            PostgresSession begun = new PostgresSession(services, identity, thread, this);
            session = begun;
            send(new BackendMessage.AuthenticationOk());
            begun.begin(Map.of(), new BackendMessage.BackendKeyData(1, start.protocolVersion()));
        }
        return !isOver;
    }

    /** The client has got one of the pieces. */
    public void arrived() {
        underWay--;
        PostgresSession open = session;
        if (open != null && !isOver) {
            open.writable();
        }
    }

    /** The client is gone. */
    public void leave() {
        if (!isOver) {
            isOver = true;
            decoder.close();
            PostgresSession open = session;
            if (open != null) {
                open.leave();
            }
        }
    }

    @Override
    public void send(BackendMessage message) {
        BackendEncoder.write(out, message);
        if (out.readableBytes() >= PIECE_BYTES) {
            flush();
        }
    }

    @Override
    public ByteBuf rows() {
        return out;
    }

    @Override
    public boolean isWritable() {
        if (out.readableBytes() >= PIECE_BYTES) {
            flush();
        }
        return underWay < MOST_UNDER_WAY;
    }

    @Override
    public long place() {
        return sentBytes + out.readableBytes();
    }

    @Override
    public boolean holds(long place) {
        return sentBytes <= place;
    }

    @Override
    public void takeBack(long place) {
        out.writerIndex(out.readerIndex() + (int) (place - sentBytes));
    }

    @Override
    public void flush() {
        sentBytes += out.readableBytes();
        if (out.isReadable() && !isOver) {
            byte[] piece = new byte[out.readableBytes()];
            out.readBytes(piece);
            underWay++;
            toClient.accept(piece);
        }
        out = Unpooled.buffer(PIECE_BYTES);
    }

    @Override
    public void close() {
        flush();
        closed.run();
        leave();
    }
}
