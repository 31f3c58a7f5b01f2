package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sequences with CACHE: their numbers follow one another, on a node with three partitions. */
@Timeout(180)
class DenseSequencesTest {
    @TempDir
    private Path folder;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = SmallNode.durable(folder.resolve("data"), 3);
        client = SmallNode.connect(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private void restart() {
        stop();
        start();
    }

    private static List<Long> numbers(ResultTable table) {
        List<Long> numbers = new ArrayList<>();
        while (table.next()) {
            numbers.add(table.getLong(0));
        }
        return numbers;
    }

    private List<Long> ask(String sql, Object... arguments) {
        return numbers(client.execute(sql, arguments).table());
    }

    private static void fails(ErrorCode code, ThrowingCallable statement) {
        assertThatThrownBy(statement)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
    }

    @Test
    void numbersFollowOneAnother() {
        client.execute("CREATE SEQUENCE ticket START WITH 10 INCREMENT BY 5 CACHE 3");
        for (long expected = 10; expected < 100; expected += 5) {
            assertThat(ask("SELECT NEXT VALUE FOR ticket")).containsExactly(expected);
        }
        assertThat(ask("VALUES (nextval('ticket')), (nextval('TICKET')), (nextval('public.ticket'::regclass))"))
                .containsExactly(100L, 105L, 110L);
        client.execute("CREATE SEQUENCE down START WITH -1 INCREMENT BY -1 CACHE 50");
        assertThat(ask("SELECT NEXT VALUE FOR down")).containsExactly(-1L);
        assertThat(ask("SELECT nextval('down')")).containsExactly(-2L);
    }

    @Test
    void everyKindOfTableDraws() {
        client.execute(
                "CREATE TABLE code (id INTEGER GENERATED ALWAYS AS IDENTITY (CACHE 4) PRIMARY KEY, name VARCHAR(10)) REPLICATED");
        client.execute(
                "CREATE TABLE orders (id INTEGER IDENTITY (START WITH 100, CACHE 10) PRIMARY KEY, item VARCHAR(10))");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        client.execute(
                "CREATE TABLE event (owner VARCHAR(10) NOT NULL, id INTEGER IDENTITY (CACHE 7), PRIMARY KEY (owner, id))");
        client.execute("PARTITION TABLE event ON COLUMN owner");
        for (long round = 0; round < 20; round++) {
            assertThat(ask("INSERT INTO code (name) VALUES ('x'), ('y') RETURNING id"))
                    .containsExactlyInAnyOrder(2 * round + 1, 2 * round + 2);
            assertThat(ask("INSERT INTO orders (item) VALUES (?) RETURNING id", "x"))
                    .containsExactly(100 + round);
            assertThat(ask("INSERT INTO event (owner) VALUES ('o" + round + "') RETURNING id"))
                    .containsExactly(round + 1);
        }
        assertThat(ask("SELECT COUNT(*) FROM code WHERE id BETWEEN 1 AND 40")).containsExactly(40L);
        assertThat(ask("SELECT id FROM orders WHERE id = 119")).containsExactly(119L);
        assertThat(ask("INSERT INTO event (owner) VALUES ('a'), ('b'), ('c') RETURNING id"))
                .containsExactlyInAnyOrder(21L, 22L, 23L);
        assertThat(ask("SELECT CACHE_SIZE FROM INFORMATION_SCHEMA.SEQUENCES ORDER BY SEQUENCE_NAME"))
                .containsExactly(4L, 7L, 10L);
    }

    @Test
    void manyClientsGetDifferentNumbers() throws Exception {
        client.execute("CREATE SEQUENCE ticket CACHE 2");
        client.execute("CREATE TABLE orders (id INTEGER IDENTITY (CACHE 5) PRIMARY KEY, item VARCHAR(10))");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        int clients = 8;
        long draws = 100;
        SortedSet<Long> all = new TreeSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
            List<Future<List<Long>>> running = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                running.add(threads.submit(() -> {
                    List<Long> own = new ArrayList<>();
                    try (FulmarClient another = FulmarClient.connect("127.0.0.1:" + node.port())) {
                        for (int draw = 0; draw < draws; draw++) {
                            own.addAll(numbers(
                                    another.execute("SELECT nextval('ticket')").table()));
                            another.execute("INSERT INTO orders (item) VALUES ('x')");
                        }
                    }
                    return own;
                }));
            }
            for (Future<List<Long>> each : running) {
                List<Long> own = each.get();
                assertThat(own).isSorted();
                all.addAll(own);
            }
        }
        assertThat(all)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, clients * draws).boxed().toList());
        assertThat(ask("SELECT COUNT(*) FROM orders")).containsExactly(clients * draws);
        assertThat(ask("SELECT MAX(id) FROM orders")).containsExactly(clients * draws);
    }

    @Test
    void nothingComesTwiceAfterARestart() {
        client.execute("CREATE SEQUENCE ticket CACHE 100");
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(1L);
        restart();
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(101L);
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(102L);
        restart();
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(201L);
    }

    @Test
    void sessionsDrawFromTheSameRange() {
        client.execute("CREATE TABLE orders (id INTEGER IDENTITY (CACHE 10) PRIMARY KEY, item VARCHAR(10))");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        assertThat(ask("INSERT INTO orders (item) VALUES ('a') RETURNING id")).containsExactly(1L);
        try (Session session = client.begin()) {
            assertThat(numbers(session.execute("INSERT INTO orders (item) VALUES ('b') RETURNING id")
                            .table()))
                    .containsExactly(2L);
            assertThat(ask("INSERT INTO orders (item) VALUES ('c') RETURNING id"))
                    .containsExactly(3L);
            session.rollback();
        }
        assertThat(ask("INSERT INTO orders (item) VALUES ('d') RETURNING id")).containsExactly(4L);
        assertThat(ask("SELECT id FROM orders ORDER BY id")).containsExactly(1L, 3L, 4L);
    }

    @Test
    void aConnectionRemembersItsNumbers() {
        client.execute("CREATE SEQUENCE ticket START WITH 5 CACHE 10");
        client.execute("CREATE SEQUENCE other START WITH 70 CACHE 10");
        client.execute("CREATE TABLE line (id BIGINT NOT NULL PRIMARY KEY, note VARCHAR(10))");
        client.execute("PARTITION TABLE line ON COLUMN id");
        fails(ErrorCode.SEQUENCE_NOT_DRAWN, () -> client.execute("SELECT currval('ticket')"));
        fails(ErrorCode.SEQUENCE_NOT_DRAWN, () -> client.execute("SELECT lastval()"));
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(5L);
        assertThat(ask("SELECT nextval('other')")).containsExactly(70L);
        assertThat(ask("SELECT currval('ticket')")).containsExactly(5L);
        assertThat(ask("SELECT lastval()")).containsExactly(70L);
        try (FulmarClient another = FulmarClient.connect("127.0.0.1:" + node.port())) {
            fails(ErrorCode.SEQUENCE_NOT_DRAWN, () -> another.execute("SELECT currval('ticket')"));
            assertThat(numbers(another.execute("SELECT nextval('ticket')").table()))
                    .containsExactly(6L);
        }
        assertThat(ask("SELECT currval('ticket')")).containsExactly(5L);
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("INSERT INTO line VALUES (currval('ticket'), 'x')"));
        try (Session session = client.begin()) {
            session.execute("INSERT INTO line VALUES (nextval('ticket'), 'a'), (currval('other'), 'b')");
            assertThat(numbers(session.execute("SELECT currval('ticket')").table()))
                    .containsExactly(7L);
            session.execute("INSERT INTO line VALUES (lastval() + 1000, 'c')");
            session.commit();
        }
        assertThat(ask("SELECT id FROM line ORDER BY id")).containsExactly(7L, 70L, 1007L);
    }

    @Test
    void aSequenceGoesOnWhereItIsTold() {
        client.execute("CREATE SEQUENCE ticket INCREMENT BY 2 CACHE 100");
        client.execute(
                "CREATE TABLE orders (id INTEGER GENERATED ALWAYS AS IDENTITY (CACHE 10) PRIMARY KEY, n INTEGER)");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        client.execute("COMMENT ON TABLE orders IS 'of customers'");
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(1L);
        assertThat(ask("SELECT setval('ticket', 1000)")).containsExactly(1000L);
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(1002L);
        assertThat(ask("SELECT setval('public.ticket', -7, false)")).containsExactly(-7L);
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(-7L);
        client.execute("ALTER SEQUENCE ticket RESTART WITH 50");
        assertThat(ask("VALUES (NEXT VALUE FOR ticket), (NEXT VALUE FOR ticket)"))
                .containsExactly(50L, 52L);
        assertThat(ask("INSERT INTO orders (n) VALUES (1) RETURNING id")).containsExactly(1L);
        assertThat(ask("SELECT setval('orders_id_sequence', 500, true)")).containsExactly(500L);
        assertThat(ask("INSERT INTO orders (n) VALUES (2) RETURNING id")).containsExactly(501L);
        restart();
        assertThat(ask("INSERT INTO orders (n) VALUES (3) RETURNING id")).containsExactly(511L);
        assertThat(ask("SELECT nextval('ticket')")).containsExactly(250L);
        fails(ErrorCode.GENERATED_ALWAYS, () -> client.execute("INSERT INTO orders VALUES (9, 9)"));
        fails(ErrorCode.SYNTAX, () -> client.execute("SELECT setval('ticket', ?)", 5L));
        fails(ErrorCode.UNKNOWN_OBJECT, () -> client.execute("SELECT setval('nowhere', 5)"));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> client.execute("SELECT setval('ticket', 9223372036854775806)"));
        client.execute("CREATE SEQUENCE spread");
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("SELECT setval('spread', 5)"));
        try (Session session = client.begin()) {
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT setval('ticket', 5)"));
        }
    }

    /** A client that sees the answer of setval draws a number behind it, however many others draw meanwhile. */
    @Test
    void noNumberOfAnEarlierRangeComesLater() throws Exception {
        client.execute("CREATE SEQUENCE ticket CACHE 1000");
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicLong floor = new AtomicLong();
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            List<Future<Integer>> drawing = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                drawing.add(threads.submit(() -> {
                    int draws = 0;
                    try (FulmarClient another = FulmarClient.connect("127.0.0.1:" + node.port())) {
                        while (!isOver.get()) {
                            long before = floor.get();
                            assertThat(numbers(another.execute("SELECT nextval('ticket')")
                                                    .table())
                                            .getFirst())
                                    .isGreaterThan(before);
                            draws++;
                        }
                    }
                    return draws;
                }));
            }
            try {
                for (long value = 1_000_000; value <= 10_000_000; value += 1_000_000) {
                    assertThat(ask("SELECT setval('ticket', " + value + ")")).containsExactly(value);
                    floor.set(value);
                }
            } finally {
                isOver.set(true);
            }
            for (Future<Integer> each : drawing) {
                assertThat(each.get()).isPositive();
            }
        }
    }

    @Test
    void aUsedUpSequenceSaysSo() {
        client.execute("CREATE SEQUENCE ending START WITH 9223372036854775805 CACHE 100");
        for (long expected = Long.MAX_VALUE - 2; expected > 0; expected++) {
            assertThat(ask("SELECT nextval('ending')")).containsExactly(expected);
        }
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> client.execute("SELECT nextval('ending')"));
        client.execute(
                "CREATE TABLE small (id INTEGER IDENTITY (START WITH 2147483647 CACHE 3) PRIMARY KEY, n INTEGER)");
        assertThat(ask("INSERT INTO small (n) VALUES (1) RETURNING id")).containsExactly((long) Integer.MAX_VALUE);
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> client.execute("INSERT INTO small (n) VALUES (2)"));
    }

    @Test
    void anIntegerDoesNotOverflowAfterTwoMillionDraws() {
        client.execute("CREATE TABLE orders (id INTEGER IDENTITY (CACHE 3000000) PRIMARY KEY, item VARCHAR(10))");
        client.execute("PARTITION TABLE orders ON COLUMN id");
        for (long range = 0; range < 3; range++) {
            assertThat(ask("INSERT INTO orders (item) VALUES ('x') RETURNING id"))
                    .containsExactly(3_000_000 * range + 1);
            restart();
        }
    }

    @Test
    void proceduresAndForgedNumbersAreRefused() {
        client.execute("CREATE TABLE source (n INTEGER NOT NULL PRIMARY KEY) REPLICATED");
        client.execute("CREATE TABLE target (id INTEGER IDENTITY (CACHE 3) PRIMARY KEY, n INTEGER) REPLICATED");
        client.execute("CREATE SEQUENCE ticket CACHE 3");
        client.execute("INSERT INTO source VALUES (1), (2)");
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                () -> client.execute("CREATE PROCEDURE copy AS INSERT INTO target (n) SELECT n FROM source"));
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                () -> client.execute("CREATE PROCEDURE draw AS SELECT NEXT VALUE FOR ticket"));
        fails(
                ErrorCode.PROCEDURE_REFUSED,
                () -> client.execute("CREATE PROCEDURE fill AS INSERT INTO target (n) VALUES (?)"));
        fails(ErrorCode.INVALID_ARGUMENT, () -> client.execute("CREATE SEQUENCE none CACHE 0"));
        fails(ErrorCode.SYNTAX, () -> client.execute("\u00021\u0002INSERT INTO target (n) VALUES (?)", 1, 7L));
        fails(ErrorCode.SYNTAX, () -> client.execute("\u00035", 7L));
    }

    @Test
    void theDefinitionHasItsCache() {
        client.execute("CREATE SEQUENCE ticket CACHE 25");
        ResultTable definition = client.execute(
                        "SELECT STATEMENT FROM INFORMATION_SCHEMA.DEFINITIONS WHERE OBJECT_NAME = 'TICKET'")
                .table()
                .first();
        String text = Objects.requireNonNull(definition.getString(0));
        client.execute("DROP SEQUENCE ticket");
        client.execute(text);
        assertThat(ask("SELECT CACHE_SIZE FROM INFORMATION_SCHEMA.SEQUENCES")).containsExactly(25L);
    }
}
