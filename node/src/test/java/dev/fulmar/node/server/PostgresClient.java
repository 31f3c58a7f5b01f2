package dev.fulmar.node.server;

import dev.fulmar.wire.address.HostAddress;
import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.codec.FrontendEncoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.FrontendMessage.StartupMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client of PostgreSQL's protocol that says exactly what a test wants. Reads wait for 10 s at most. */
final class PostgresClient implements AutoCloseable {
    private static final int READ_TIMEOUT_MILLIS = 10_000;

    private final Socket socket;
    private final InputStream in;

    /** With which it cancels its statements. */
    BackendMessage.@Nullable BackendKeyData key;

    private final BackendDecoder decoder = new BackendDecoder(ByteBufAllocator.DEFAULT, 1 << 20);

    PostgresClient(HostAddress address) throws IOException {
        socket = new Socket(address.host(), address.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        in = socket.getInputStream();
    }

    /** A client in a session. */
    static PostgresClient loggedIn(HostAddress address) throws IOException {
        PostgresClient client = new PostgresClient(address);
        client.send(startUp("ann"));
        List<String> answers = client.answers(BackendMessage.ReadyForQuery.class);
        if (!answers.getLast().equals("ReadyForQuery")) {
            client.close();
            throw new IOException("the client is refused: " + answers);
        }
        return client;
    }

    static StartupMessage startUp(String user) {
        LinkedHashMap<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", user);
        return new StartupMessage(StartupMessage.VERSION_3_0, parameters);
    }

    static byte[] bytes(FrontendMessage... messages) {
        ByteBuf bytes = Unpooled.buffer();
        for (FrontendMessage message : messages) {
            FrontendEncoder.write(bytes, message);
        }
        return ByteBufUtil.getBytes(bytes);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    void send(FrontendMessage... messages) throws IOException {
        send(bytes(messages));
    }

    /** The answer to a request for encryption. */
    char encryptionAnswer() throws IOException {
        return (char) in.read();
    }

    /** Messages up to the first of the class, or the end of the connection, as short texts. */
    List<String> answers(Class<? extends BackendMessage> last) throws IOException {
        List<String> answers = new ArrayList<>();
        byte[] piece = new byte[1 << 12];
        boolean goesOn = true;
        while (goesOn) {
            int count = read(piece);
            if (count < 0) {
                answers.add("end");
                return answers;
            }
            goesOn = decoder.decode(Unpooled.wrappedBuffer(piece, 0, count), message -> {
                answers.add(text(message));
                key = message instanceof BackendMessage.BackendKeyData given ? given : key;
                return !last.isInstance(message);
            });
        }
        return answers;
    }

    private int read(byte[] piece) throws IOException {
        try {
            return in.read(piece);
        } catch (SocketException reset) { // by a server that has closed before it read all
            return -1;
        }
    }

    private static String text(BackendMessage message) {
        return switch (message) {
            case BackendMessage.ErrorResponse(var error) -> error.severity() + " " + error.sqlState();
            default -> message.getClass().getSimpleName();
        };
    }

    @Override
    public void close() throws IOException {
        decoder.close();
        socket.close();
    }
}
