package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.codec.BackendEncoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A client without a network: sends messages to a session, and writes its answers down as short texts. */
final class TalkingClient implements ClientOutput {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ByteBuf sent = Unpooled.buffer();

    /** Bytes of all answers before those that have not been asked for. */
    private long answeredBytes;

    /** Bytes that the session has sent on. */
    private long flushedBytes;

    private final PostgresSession session;

    @Nullable Diagnostic error;

    boolean isClosed;
    boolean isFull;

    /** Bytes that are sent on at once when they have come together. */
    long fullBytes = Long.MAX_VALUE;

    private final FakeDatabase database;

    TalkingClient(FakeDatabase database) {
        this.database = database;
        session = new PostgresSession(
                database.services(), new ClientIdentity(Caller.TRUSTED, "ann", "ann", 7, "here"), tasks::add, this);
        session.begin(Map.of(), new BackendMessage.BackendKeyData(1, 2));
        answers();
    }

    PostgresSession session() {
        return session;
    }

    /** Answers of the session to the messages. */
    List<String> says(FrontendMessage... messages) {
        for (FrontendMessage message : messages) {
            session.take(message);
        }
        return answers();
    }

    List<String> asks(String sql) {
        return says(new FrontendMessage.Query(sql));
    }

    /** Requests to the database for the statements, without the numbers of transactions. */
    List<String> requests(String... statements) {
        database.asked.clear();
        for (String statement : statements) {
            asks(statement);
        }
        return database.asked.stream()
                .map(sql -> sql.substring(sql.indexOf(':') + 2))
                .toList();
    }

    static FrontendMessage data(String text) {
        return new FrontendMessage.CopyData(text.getBytes(StandardCharsets.UTF_8));
    }

    static FrontendMessage parse(String name, String sql) {
        return new FrontendMessage.Parse(name, sql, List.of());
    }

    static FrontendMessage bind(String portal, String statement, @Nullable String... values) {
        byte[] @Nullable [] bytes = new byte[values.length][];
        for (int i = 0; i < values.length; i++) {
            String value = values[i];
            bytes[i] = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        }
        return new FrontendMessage.Bind(portal, statement, ValueFormats.TEXT, bytes, ValueFormats.TEXT);
    }

    static FrontendMessage describe(Target target, String name) {
        return new FrontendMessage.Describe(target, name);
    }

    static FrontendMessage execute(String portal, int rows) {
        return new FrontendMessage.Execute(portal, rows);
    }

    static FrontendMessage sync() {
        return new FrontendMessage.Sync();
    }

    /** Answers that have come since the last question. */
    List<String> answers() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
        List<String> answers = new ArrayList<>();
        answeredBytes += sent.readableBytes();
        flushedBytes = answeredBytes;
        try (BackendDecoder decoder = new BackendDecoder(ByteBufAllocator.DEFAULT, 1 << 20)) {
            decoder.decode(sent, message -> {
                answers.add(text(message));
                error = message instanceof BackendMessage.ErrorResponse(var found) ? found : error;
                return true;
            });
        }
        sent.clear();
        return answers;
    }

    private static String text(BackendMessage message) {
        return switch (message) {
            case BackendMessage.ReadyForQuery(var status) -> "ready " + (char) status.code();
            case BackendMessage.CommandComplete(String tag) -> tag;
            case BackendMessage.ErrorResponse(var error) ->
                error.severity() + " " + error.sqlState() + (error.position() > 0 ? " at " + error.position() : "");
            case BackendMessage.NoticeResponse(var notice) -> notice.severity() + " " + notice.sqlState();
            case BackendMessage.RowDescription(var fields) ->
                "columns "
                        + String.join(
                                ",",
                                fields.stream()
                                        .map(field -> field.name() + ":" + field.typeOid())
                                        .toList());
            case BackendMessage.DataRow row -> row(row);
            case BackendMessage.ParameterDescription(var types) -> "parameters " + types;
            case BackendMessage.ParameterStatus(String name, String value) -> name + "=" + value;
            case BackendMessage.CopyInResponse(var format, int columns) -> "copy in " + format + " " + columns;
            case BackendMessage.CopyOutResponse(var format, int columns) -> "copy out " + format + " " + columns;
            case BackendMessage.CopyData(byte[] bytes) -> "data " + new String(bytes, StandardCharsets.UTF_8).strip();
            default -> message.getClass().getSimpleName();
        };
    }

    private static String row(BackendMessage.DataRow row) {
        List<String> values = new ArrayList<>();
        for (byte[] value : row.values()) {
            values.add(value == null ? "null" : new String(value, StandardCharsets.UTF_8));
        }
        return "row " + String.join(",", values);
    }

    @Override
    public void send(BackendMessage message) {
        BackendEncoder.write(sent, message);
        if (heldBytes() >= fullBytes) {
            flush();
        }
    }

    /** Bytes that have not been sent on. */
    long heldBytes() {
        return place() - flushedBytes;
    }

    @Override
    public ByteBuf rows() {
        return sent;
    }

    @Override
    public boolean isWritable() {
        return !isFull;
    }

    @Override
    public long place() {
        return answeredBytes + sent.readableBytes();
    }

    @Override
    public boolean holds(long place) {
        return flushedBytes <= place;
    }

    @Override
    public void takeBack(long place) {
        Invariants.check(holds(place), "what has been sent is not taken back");
        sent.writerIndex((int) (place - answeredBytes));
    }

    @Override
    public void flush() {
        flushedBytes = place();
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
