package dev.fulmar.simulator.postgres;

import dev.fulmar.wire.postgres.codec.BackendDecoder;
import dev.fulmar.wire.postgres.codec.FrontendEncoder;
import dev.fulmar.wire.postgres.message.BackendMessage;
import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import dev.fulmar.wire.postgres.message.ValueFormats;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client's end of a connection: sends questions, also before earlier ones are answered, and reads the answers. */
public final class Driver {
    private static final int MESSAGE_BYTES = 1 << 20;

    private final Consumer<byte[]> toServer;
    private final Consumer<String> wrong;
    private final BackendDecoder decoder = new BackendDecoder(new UnpooledByteBufAllocator(false), MESSAGE_BYTES);
    private final ArrayDeque<Open> open = new ArrayDeque<>();
    private final Map<String, String> prepared = new LinkedHashMap<>();
    private int lastName;
    private TransactionStatus status = TransactionStatus.IDLE;

    /** A question that is not answered completely. */
    private static final class Open {
        final @Nullable Question question;
        final Consumer<Answer> then;
        final List<Answer.Result> results = new ArrayList<>();
        List<long[]> rows = new ArrayList<>();

        @Nullable Diagnostic error;

        boolean isSuspended;

        Open(@Nullable Question question, Consumer<Answer> then) {
            this.question = question;
            this.then = then;
        }
    }

    /**
     * @param toServer takes what is sent
     * @param wrong told of answers that no server of PostgreSQL gives
     */
    public Driver(Consumer<byte[]> toServer, Consumer<String> wrong) {
        this.toServer = toServer;
        this.wrong = wrong;
    }

    /** Sends the start-up message. */
    public void begin() {
        LinkedHashMap<String, String> parameters = new LinkedHashMap<>();
        parameters.put("user", "simulated");
        open.add(new Open(null, answer -> {}));
        send(List.of(new FrontendMessage.StartupMessage(FrontendMessage.StartupMessage.VERSION_3_0, parameters)));
    }

    /** Status of the transaction as the last answer told. */
    public TransactionStatus status() {
        return status;
    }

    /** Sends a question. */
    public void ask(Question question, Consumer<Answer> then) {
        Open asked = new Open(question, then);
        open.add(asked);
        switch (question) {
            case Question.Simple(List<Question.Statement> statements) ->
                send(List.of(new FrontendMessage.Query(String.join(
                        "; ", statements.stream().map(Question.Statement::plain).toList()))));
            case Question.Copy copy -> send(List.of(new FrontendMessage.Query(copy.sql())));
            case Question.Extended extended -> {
                List<FrontendMessage> messages = new ArrayList<>();
                boolean keeps = extended.keeps() && open.size() == 1; // it knows what is prepared
                extended.statements().forEach(statement -> add(statement, keeps, extended.rowLimit(), messages));
                messages.add(new FrontendMessage.Sync());
                send(messages);
            }
        }
    }

    private void add(Question.Statement statement, boolean keeps, int rowLimit, List<FrontendMessage> messages) {
        String text = statement.numbered();
        String name = keeps ? prepared.getOrDefault(text, "") : "";
        if (name.isEmpty()) {
            if (keeps) {
                name = "s" + ++lastName;
                prepared.put(text, name);
            }
            messages.add(new FrontendMessage.Parse(name, text, List.of()));
        }
        byte[][] values = new byte[statement.arguments().length][];
        for (int i = 0; i < values.length; i++) {
            values[i] = Long.toString(statement.arguments()[i]).getBytes(StandardCharsets.UTF_8);
        }
        messages.add(new FrontendMessage.Bind("", name, ValueFormats.TEXT, values, ValueFormats.TEXT));
        messages.add(new FrontendMessage.Execute("", rowLimit));
    }

    private void send(List<FrontendMessage> messages) {
        ByteBuf out = Unpooled.buffer();
        messages.forEach(message -> FrontendEncoder.write(out, message));
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        toServer.accept(bytes);
    }

    /** Takes bytes of the server. */
    public void take(byte[] bytes) {
        decoder.decode(Unpooled.wrappedBuffer(bytes), message -> {
            Open first = open.peek();
            if (first != null) {
                take(first, message);
            } else if (!isAlways(message)) {
                wrong.accept("nothing was asked, and the server says " + message);
            }
            return true;
        });
    }

    /** A message that may come at any time. */
    private static boolean isAlways(BackendMessage message) {
        return message instanceof BackendMessage.NoticeResponse
                || message instanceof BackendMessage.ParameterStatus
                || message instanceof BackendMessage.ErrorResponse;
    }

    private void take(Open asked, BackendMessage message) {
        switch (message) {
            case BackendMessage.DataRow row -> asked.rows.add(numbers(row));
            case BackendMessage.CommandComplete(String tag) -> {
                asked.results.add(new Answer.Result(tag, asked.rows));
                asked.rows = new ArrayList<>();
            }
            case BackendMessage.ErrorResponse(Diagnostic error) -> {
                if (asked.error != null) {
                    wrong.accept("a question fails twice: " + asked.error + ", then " + error);
                }
                asked.error = error;
            }
            case BackendMessage.PortalSuspended _ -> asked.isSuspended = true;
            case BackendMessage.CopyInResponse _ -> copy(asked);
            case BackendMessage.ReadyForQuery(TransactionStatus now) -> ready(asked, now);
            default -> {}
        }
    }

    private static long[] numbers(BackendMessage.DataRow row) {
        long[] numbers = new long[row.values().length];
        for (int i = 0; i < numbers.length; i++) {
            byte[] value = row.values()[i];
            numbers[i] = value == null ? 0 : Long.parseLong(new String(value, StandardCharsets.UTF_8));
        }
        return numbers;
    }

    private void copy(Open asked) {
        if (!(asked.question instanceof Question.Copy copy)) {
            wrong.accept("the server wants data of a COPY in " + asked.question);
            return;
        }
        List<FrontendMessage> messages = new ArrayList<>();
        for (String line : copy.lines()) {
            messages.add(new FrontendMessage.CopyData((line + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        messages.add(
                copy.fails()
                        ? new FrontendMessage.CopyFail("the client thinks better of it")
                        : new FrontendMessage.CopyDone());
        send(messages);
    }

    private void ready(Open asked, TransactionStatus now) {
        status = now;
        if (asked.isSuspended && asked.error == null && asked.question instanceof Question.Extended extended) {
            asked.isSuspended = false;
            send(List.of(new FrontendMessage.Execute("", extended.rowLimit()), new FrontendMessage.Sync()));
            return;
        }
        open.remove();
        if (asked.error != null) {
            prepared.clear(); // some of them may not have been prepared
        } else if (asked.question instanceof Question known && asked.results.size() != statements(known)) {
            wrong.accept(known + " has " + asked.results.size() + " results");
        }
        asked.then.accept(new Answer(asked.results, asked.error, now));
    }

    private static int statements(Question question) {
        return switch (question) {
            case Question.Simple(List<Question.Statement> statements) -> statements.size();
            case Question.Extended extended -> extended.statements().size();
            case Question.Copy _ -> 1;
        };
    }

    /** The connection is closed; no more answers come. */
    public void close() {
        decoder.close();
        open.clear();
    }
}
