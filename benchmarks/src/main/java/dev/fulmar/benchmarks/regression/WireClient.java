package dev.fulmar.benchmarks.regression;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends each statement as psql does, in a Query by itself. It shows the answer as it came, where a
 * driver would hide types, and data of COPY. For one thread.
 */
final class WireClient implements AutoCloseable {
    private static final int VERSION = 3 << 16;
    private static final int PATIENCE_MILLIS = 120_000;
    private static final int CLEARTEXT_PASSWORD = 3;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    /** A message of the server. */
    private record Message(char type, ByteBuffer body) {
        String text() {
            int end = body.position();
            while (body.get(end) != 0) {
                end++;
            }
            String text = bytes(end - body.position());
            body.get();
            return text;
        }

        String bytes(int count) {
            byte[] text = new byte[count];
            body.get(text);
            return new String(text, UTF_8);
        }
    }

    private WireClient(Socket socket) throws IOException {
        this.socket = socket;
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = new DataOutputStream(socket.getOutputStream());
    }

    static WireClient connect(int port, String user, String password, String database) throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        WireClient client = new WireClient(socket);
        client.startUp(user, password, database);
        return client;
    }

    private void startUp(String user, String password, String database) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream body = new DataOutputStream(bytes);
        body.writeInt(VERSION);
        for (String text : List.of("user", user, "database", database, "client_encoding", "UTF8", "")) {
            body.write(text.getBytes(UTF_8));
            body.writeByte(0);
        }
        out.writeInt(bytes.size() + Integer.BYTES);
        out.write(bytes.toByteArray());
        out.flush();
        for (Message message = read(); message.type != 'Z'; message = read()) {
            if (message.type == 'E') {
                throw new IOException(
                        "the server refuses the connection: " + error(message).message());
            }
            if (message.type == 'R' && message.body.getInt() == CLEARTEXT_PASSWORD) {
                send('p', (password + "\0").getBytes(UTF_8));
            }
        }
    }

    private void send(char type, byte[] body) throws IOException {
        out.writeByte(type);
        out.writeInt(body.length + Integer.BYTES);
        out.write(body);
        out.flush();
    }

    private Message read() throws IOException {
        char type = (char) in.readUnsignedByte();
        byte[] body = new byte[in.readInt() - Integer.BYTES];
        in.readFully(body);
        return new Message(type, ByteBuffer.wrap(body));
    }

    /**
     * Executes one statement.
     *
     * @param copied data for a COPY that asks for them; null if the client has none
     */
    Answer execute(String sql, Supplier<byte @Nullable []> copied) throws IOException {
        send('Q', (sql + "\0").getBytes(UTF_8));
        List<Answer.Column> columns = List.of();
        List<List<@Nullable String>> rows = new ArrayList<>();
        Answer error = null;
        String tag = "";
        while (true) {
            Message message = read();
            switch (message.type) {
                case 'T' -> columns = columns(message);
                case 'D' -> rows.add(row(message));
                case 'd' -> rows.add(List.of(message.bytes(message.body.remaining())));
                case 'C' -> tag = message.text();
                case 'E' -> error = error(message);
                case 'G' -> copy(copied.get());
                case 'Z' -> {
                    char status = (char) message.body.get();
                    return error == null
                            ? new Answer("", "", columns, rows, tag, status)
                            : new Answer(error.sqlState(), error.message(), List.of(), List.of(), "", status);
                }
                default -> {} // notices, parameters and the ends of a COPY
            }
        }
    }

    private void copy(byte @Nullable [] data) throws IOException {
        if (data == null) {
            send('f', "no data\0".getBytes(UTF_8));
        } else {
            send('d', data);
            send('c', new byte[0]);
        }
    }

    private static List<Answer.Column> columns(Message message) {
        int count = message.body.getShort();
        List<Answer.Column> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = message.text();
            message.body.position(message.body.position() + Integer.BYTES + Short.BYTES);
            columns.add(new Answer.Column(name, message.body.getInt()));
            message.body.position(message.body.position() + Integer.BYTES + 2 * Short.BYTES);
        }
        return columns;
    }

    private static List<@Nullable String> row(Message message) {
        int count = message.body.getShort();
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = message.body.getInt();
            values.add(length < 0 ? null : message.bytes(length));
        }
        return values;
    }

    private static Answer error(Message message) {
        String state = "";
        String text = "";
        for (char field = (char) message.body.get(); field != 0; field = (char) message.body.get()) {
            String value = message.text();
            if (field == 'C') {
                state = value;
            } else if (field == 'M') {
                text = value;
            }
        }
        return new Answer(state, text, List.of(), List.of(), "", 'I');
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
