package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.data;
import static dev.fulmar.postgres.session.TalkingClient.describe;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.TypeKind;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.wire.postgres.message.FrontendMessage;
import dev.fulmar.wire.postgres.message.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every message in every state of a session: its answers, those to a Sync behind it, and those to a Query, which show
 * that the session goes on. The answers of {@code messages.txt} are PostgreSQL 15's, but for lines that say otherwise.
 */
class MessageTableTest {
    private static final String SELECT = "SELECT id FROM t";
    private static final String LOCK = "SELECT pg_advisory_xact_lock(7)";
    private static final String WRONG = "SELECT id FROM nowhere";
    private static final String INSERT = "INSERT INTO t (\"ID\") OVERRIDING SYSTEM VALUE VALUES (?)";

    /** States of a session, which begins with a prepared statement s. */
    enum State {
        IDLE,
        /** A statement of a pipeline has been executed, and no Sync has come. */
        PIPELINE,
        /** One of a pipeline has failed, and no Sync has come. */
        SKIPPING,
        /** Between BEGIN and COMMIT; there is a portal p. */
        TRANSACTION,
        /** A statement has failed between BEGIN and COMMIT. */
        FAILED,
        /** The rows of the portal p have been read in part. */
        SUSPENDED,
        /** The server waits for data of a COPY that came as a Query. */
        COPY_IN,
        /** And for those of one that came in a pipeline. */
        COPY_IN_PIPELINE,
        /** Rows of a COPY in a transaction wait for the client. */
        COPY_OUT,
        /** A query is executed: the message waits, and has the answers of IDLE then. */
        EXECUTING,
        /** The same while the session waits for an advisory lock. */
        WAITING
    }

    private final FakeDatabase database = new FakeDatabase();
    private TalkingClient client = new TalkingClient(database);

    /** Ends what is under way once the message has come. */
    private Runnable ending = () -> {};

    private void begin(State state) {
        database.yields(SELECT, 3);
        database.yields("SELECT \"#WRITTEN\" FROM t", 3);
        database.fails(WRONG, ErrorCode.UNKNOWN_OBJECT);
        database.descriptions.put(
                INSERT, new StatementDescription(List.of(), List.of(ColumnType.of(TypeKind.INTEGER)), false, 1));
        client = new TalkingClient(database);
        client.says(parse("s", SELECT), sync());
        switch (state) {
            case IDLE -> {}
            case PIPELINE -> client.says(bind("p", "s"), execute("p", 0), new FrontendMessage.Flush());
            case SKIPPING -> client.says(parse("", WRONG));
            case TRANSACTION -> transaction();
            case FAILED -> {
                transaction();
                client.asks(WRONG);
            }
            case SUSPENDED -> {
                transaction();
                client.says(execute("p", 2), sync());
            }
            case COPY_IN -> client.asks("COPY t FROM STDIN");
            case COPY_IN_PIPELINE ->
                client.says(parse("", "COPY t FROM STDIN"), bind("", ""), execute("", 0), new FrontendMessage.Flush());
            case COPY_OUT -> {
                client.asks("BEGIN");
                database.holdsAnswers = true;
                client.asks("COPY t TO STDOUT");
                client.isFull = true;
                database.holdsAnswers = false;
                database.answer();
                client.answers();
            }
            case EXECUTING -> {
                database.holdsAnswers = true;
                assertThat(client.asks(SELECT)).isEmpty();
                ending = () -> {
                    database.holdsAnswers = false;
                    database.answer();
                };
            }
            case WAITING -> {
                database.finds(LOCK, 7L);
                database.locks.taken.add(7L);
                assertThat(client.asks(LOCK)).isEmpty();
                ending = () -> {
                    database.locks.taken.clear();
                    database.locks.grant();
                };
            }
        }
    }

    /** Answers of what was under way, which stand before those to the message. */
    private static String before(State state) {
        return switch (state) {
            case EXECUTING -> "columns id:23, row 1, row 2, row 3, SELECT 3, ready I";
            case WAITING -> "columns pg_advisory_xact_lock:1043, row , SELECT 1, ready I";
            default -> "";
        };
    }

    private void transaction() {
        client.asks("BEGIN");
        client.says(bind("p", "s"), sync());
    }

    private static SequencedMap<String, FrontendMessage> messages() {
        SequencedMap<String, FrontendMessage> messages = new LinkedHashMap<>();
        messages.put("Query", new FrontendMessage.Query(SELECT));
        messages.put("Query, wrong", new FrontendMessage.Query(WRONG));
        messages.put("Query, empty", new FrontendMessage.Query(""));
        messages.put("Query, BEGIN", new FrontendMessage.Query("BEGIN"));
        messages.put("Query, COMMIT", new FrontendMessage.Query("COMMIT"));
        messages.put("Query, ROLLBACK", new FrontendMessage.Query("ROLLBACK"));
        messages.put("Query, unreadable", unreadable('Q'));
        messages.put("Parse", parse("n", SELECT));
        messages.put("Parse, wrong", parse("n", WRONG));
        messages.put("Bind", bind("b", "s"));
        messages.put("Bind, unknown", bind("b", "nothing"));
        messages.put("Bind, unreadable", unreadable('B'));
        messages.put("Parse, unreadable", unreadable('P'));
        messages.put("Describe, unreadable", unreadable('D'));
        messages.put("Execute, unreadable", unreadable('E'));
        messages.put("Close, unreadable", unreadable('C'));
        messages.put("Flush, unreadable", unreadable('H'));
        messages.put("Sync, unreadable", unreadable('S'));
        messages.put("FunctionCall, unreadable", unreadable('F'));
        messages.put("CopyData, unreadable", unreadable('d'));
        messages.put("CopyDone, unreadable", unreadable('c'));
        messages.put("CopyFail, unreadable", unreadable('f'));
        messages.put("Terminate, unreadable", unreadable('X'));
        messages.put("Describe statement", describe(Target.STATEMENT, "s"));
        messages.put("Describe portal", describe(Target.PORTAL, "p"));
        messages.put("Execute", execute("p", 0));
        messages.put("Close statement", new FrontendMessage.Close(Target.STATEMENT, "s"));
        messages.put("Close portal", new FrontendMessage.Close(Target.PORTAL, "p"));
        messages.put("Sync", sync());
        messages.put("Flush", new FrontendMessage.Flush());
        messages.put("CopyData", data("7\n"));
        messages.put("CopyDone", new FrontendMessage.CopyDone());
        messages.put("CopyFail", new FrontendMessage.CopyFail("no"));
        messages.put("FunctionCall", new FrontendMessage.FunctionCall(1));
        messages.put("PasswordMessage", new FrontendMessage.AuthenticationResponse(new byte[] {'x', 0}));
        messages.put("Terminate", new FrontendMessage.Terminate());
        return messages;
    }

    private static FrontendMessage unreadable(char type) {
        return new FrontendMessage.Unreadable(type, "a text does not end");
    }

    private String answers(FrontendMessage... said) {
        List<String> all = new ArrayList<>(client.says(said));
        ending.run();
        ending = () -> {};
        all.addAll(client.answers());
        if (client.isFull) {
            client.isFull = false;
            client.session().writable();
            all.addAll(client.answers());
        }
        if (client.isClosed) {
            all.add("end");
        }
        return String.join(", ", all);
    }

    private String line(State state, String name, FrontendMessage message) {
        begin(state);
        String own = answers(message);
        if (client.isClosed) {
            return name + " | " + own;
        }
        String synced = answers(sync());
        return name + " | " + own + " | " + synced + " | " + answers(new FrontendMessage.Query(SELECT));
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void everyMessageIsAnswered(State state) throws IOException {
        List<String> lines = new ArrayList<>();
        messages().forEach((name, message) -> lines.add(line(state, name, message)));
        assertThat(lines).containsExactlyElementsOf(expected(state));
    }

    private static List<String> expected(State state) throws IOException {
        String before = before(state);
        if (before.isEmpty()) {
            return expected().getOrDefault(state.name(), List.of());
        }
        return expected().getOrDefault(State.IDLE.name(), List.of()).stream()
                .map(line -> {
                    String[] parts = line.split(" \\| ", 2);
                    return parts[0] + " | " + before + (parts[1].startsWith(" | ") ? "" : ", ") + parts[1];
                })
                .toList();
    }

    private static Map<String, List<String>> expected() throws IOException {
        Map<String, List<String>> found = new LinkedHashMap<>();
        List<String> state = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(MessageTableTest.class.getResourceAsStream("messages.txt")),
                StandardCharsets.UTF_8))) {
            for (String line : reader.lines().toList()) {
                if (line.startsWith("## ")) {
                    state = new ArrayList<>();
                    found.put(line.substring(3), state);
                } else if (!line.isBlank() && !line.startsWith("# ")) {
                    state.add(line.strip());
                }
            }
        }
        return found;
    }
}
