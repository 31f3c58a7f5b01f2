package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * ON CONFLICT by keys over partitions, with PostgreSQL's driver. Rows, counts and errors are those of PostgreSQL 15 for
 * the same statements.
 */
@Timeout(120)
class KeysInTheWayTest extends PostgresNodeFixture {
    private static final int CLIENTS = 4;

    KeysInTheWayTest() {
        super(true);
    }

    /** A new row, or one that is there. */
    private record Row(
            int id, @Nullable Integer a, @Nullable Integer b) {
        private boolean meets(Row other, boolean byAny) {
            boolean isSameA = a != null && a.equals(other.a);
            boolean isSameB = b != null && b.equals(other.b);
            return isSameA || (byAny && (id == other.id || isSameB));
        }

        private String text() {
            return "(" + id + ", " + a + ", " + b + ")";
        }
    }

    @BeforeEach
    void create() throws SQLException {
        update("CREATE TABLE visit (id int PRIMARY KEY, a int UNIQUE, b int UNIQUE)");
        update("INSERT INTO visit VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4)");
    }

    private List<String> inserted(String rows, String clause) throws SQLException {
        return rows("INSERT INTO visit VALUES " + rows + " ON CONFLICT " + clause + " RETURNING id");
    }

    @Test
    void anyKeyIsInTheWay() throws SQLException {
        for (int there = 1; there <= 4; there++) {
            assertThat(update("INSERT INTO visit VALUES (10, " + there + ", 10) ON CONFLICT DO NOTHING"))
                    .isZero();
            assertThat(update("INSERT INTO visit VALUES (10, 10, " + there + ") ON CONFLICT DO NOTHING"))
                    .isZero();
            assertThat(update("INSERT INTO visit VALUES (" + there + ", 10, 10) ON CONFLICT DO NOTHING"))
                    .isZero();
        }
        assertThat(inserted("(10, 10, 10)", "DO NOTHING")).containsExactly("10");
        assertThat(inserted("(11, 1, 11), (12, 12, 12), (13, 3, 13), (14, 14, 4), (15, 15, 15)", "DO NOTHING"))
                .containsExactly("12", "15");
        assertThat(update("INSERT INTO visit VALUES (20, NULL, NULL), (21, NULL, NULL), (22, 1, NULL)"
                        + " ON CONFLICT DO NOTHING"))
                .isEqualTo(2);
        assertThat(update(
                        "INSERT INTO visit SELECT id + 100, a, b + 100 FROM visit WHERE a < 4 ON CONFLICT DO NOTHING"))
                .isZero();
        assertThat(rows("SELECT COUNT(*) FROM visit")).containsExactly("9");
    }

    @Test
    void rowsOfOneStatementMeet() throws SQLException {
        assertThat(inserted("(30, 30, 30), (31, 30, 31), (32, 32, 31)", "DO NOTHING"))
                .containsExactly("30", "32");
        assertThat(inserted("(41, 1, 41), (41, 42, 42), (43, 42, 43), (44, 44, 43)", "DO NOTHING"))
                .containsExactly("41", "44");
        assertThat(inserted("(52, 50, 50), (51, 50, 51), (50, 50, 52)", "(a) DO NOTHING"))
                .containsExactly("52");
        assertThat(state(connection, "INSERT INTO visit VALUES (60, 60, 60), (61, 61, 60) ON CONFLICT (a) DO NOTHING"))
                .isEqualTo("23505");
        assertThat(rows("SELECT a, b FROM visit WHERE id >= 40 ORDER BY id"))
                .containsExactly("42,42", "44,43", "50,50");
    }

    /** A statement that fails leaves nothing, also where it has left rows out. */
    @Test
    void aRowThatMayNotBeIsAnError() throws SQLException {
        update("ALTER TABLE visit ADD CHECK (b <> 99)");
        assertThat(state(
                        connection,
                        "INSERT INTO visit VALUES (50, 50, 50), (51, 1, 51), (52, 52, 99)" + " ON CONFLICT DO NOTHING"))
                .isEqualTo("23514");
        assertThat(state(connection, "INSERT INTO visit VALUES (53, 1, 99) ON CONFLICT DO NOTHING"))
                .isEqualTo("23514");
        assertThat(state(connection, "INSERT INTO visit VALUES (NULL, 1, 1) ON CONFLICT DO NOTHING"))
                .isEqualTo("23502");
        assertThat(rows("SELECT COUNT(*) FROM visit")).containsExactly("4");
    }

    @Test
    void randomRowsAreInsertedAsIfEachCameAfterTheOneBefore() throws SQLException {
        Random random = new Random(7);
        List<Row> there = new ArrayList<>();
        IntStream.rangeClosed(1, 4).forEach(n -> there.add(new Row(n, n, n)));
        for (int round = 0; round < 150; round++) {
            boolean byAny = random.nextInt(3) > 0;
            int bound = 10 + random.nextInt(60);
            List<Row> given = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                int id = byAny ? random.nextInt(bound) : 1000 * (round + 1) + i;
                Integer b = byAny && random.nextInt(9) > 0 ? Integer.valueOf(random.nextInt(bound)) : null;
                given.add(new Row(id, random.nextInt(9) > 0 ? random.nextInt(bound) : null, b));
            }
            List<String> expected = new ArrayList<>();
            for (Row row : given) {
                if (there.stream().noneMatch(each -> row.meets(each, byAny))) {
                    there.add(row);
                    expected.add(String.valueOf(row.id()));
                }
            }
            String rows = String.join(", ", given.stream().map(Row::text).toList());
            assertThat(inserted(rows, byAny ? "DO NOTHING" : "(a) DO NOTHING"))
                    .as(rows)
                    .isEqualTo(expected);
        }
        List<String> all = there.stream()
                .sorted((one, other) -> Integer.compare(one.id(), other.id()))
                .map(row -> row.id() + "," + row.a() + "," + row.b())
                .toList();
        assertThat(rows("SELECT id, a, b FROM visit ORDER BY id")).isEqualTo(all);
    }

    /** The order of the query says which row stays, also where parameters stand in it. */
    @Test
    void theFirstRowOfAnOrderStays() throws SQLException {
        for (String clause : List.of("DO NOTHING", "(a) DO NOTHING")) {
            update("DELETE FROM visit WHERE id > 4");
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO visit (id, a) SELECT n + ?, n / ? FROM generate_series(20,"
                            + " 31) AS s (n) WHERE n < ? ORDER BY n DESC OFFSET ? ON CONFLICT " + clause)) {
                statement.setInt(1, 100);
                statement.setInt(2, 4);
                statement.setInt(3, 30);
                statement.setInt(4, 1);
                assertThat(statement.executeUpdate()).isEqualTo(3);
            }
            assertThat(rows("SELECT id, a FROM visit WHERE id > 4 ORDER BY id"))
                    .containsExactly("123,5", "127,6", "128,7");
            update("DELETE FROM visit WHERE id > 4");
            try (PreparedStatement statement =
                    connection.prepareStatement("INSERT INTO visit (id, a, b) SELECT x, y, z FROM (VALUES"
                            + " (?::int, ?::int, ?::int), (?, ?, ?)) AS v (x, y, z) ON CONFLICT " + clause)) {
                for (int i = 0; i < 6; i++) {
                    statement.setInt(i + 1, List.of(9, 9, 9, 8, 9, 8).get(i));
                }
                assertThat(statement.executeUpdate()).isEqualTo(1);
            }
            assertThat(rows("SELECT id, a, b FROM visit WHERE id > 4")).containsExactly("9,9,9");
        }
    }

    private int[] batch(Connection by, String clause, int first, int count) throws SQLException {
        try (PreparedStatement statement =
                by.prepareStatement("INSERT INTO visit (id, a, b) VALUES (?, ?, ?) ON CONFLICT " + clause)) {
            for (int i = 0; i < count; i++) {
                statement.setInt(1, first + i);
                statement.setInt(2, first + i / 2);
                statement.setNull(3, Types.INTEGER);
                statement.addBatch();
            }
            return statement.executeBatch();
        }
    }

    /** The driver makes statements of many rows of a batch; each key comes twice in them. */
    @Test
    void batchesLeaveRowsOutAndChangeThem() throws SQLException {
        try (Connection rewriting = connect("&reWriteBatchedInserts=true")) {
            batch(rewriting, "DO NOTHING", 1000, 600);
            assertThat(rows("SELECT COUNT(*), COUNT(DISTINCT a) FROM visit WHERE id >= 1000"))
                    .containsExactly("300,300");
            batch(rewriting, "(a) DO NOTHING", 2000, 600);
            assertThat(rows("SELECT COUNT(*), COUNT(DISTINCT a) FROM visit WHERE id >= 2000"))
                    .containsExactly("300,300");
            batch(rewriting, "DO NOTHING", 1000, 600);
            batch(rewriting, "(a) DO NOTHING", 2000, 600);
            assertThat(rows("SELECT COUNT(*) FROM visit")).containsExactly("604");
        }
    }

    @Test
    void upsertsOfManyRowsFindTheirRows() throws SQLException {
        String rows = String.join(
                ", ", IntStream.range(0, 200).mapToObj(i -> "(?, ?, ?)").toList());
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO visit VALUES " + rows + " ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b")) {
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < 200; i++) {
                    statement.setInt(3 * i + 1, 1000 * (round + 1) + i);
                    statement.setInt(3 * i + 2, 100 * round + i + 1);
                    statement.setInt(3 * i + 3, 10_000 * (round + 1) + i);
                }
                assertThat(statement.executeUpdate()).isEqualTo(200);
            }
        }
        assertThat(rows("SELECT COUNT(*), MIN(a), MAX(a), COUNT(DISTINCT b) FROM visit"))
                .containsExactly("400,1,400,400");
        assertThat(rows("SELECT id, b FROM visit WHERE a IN (1, 101, 301) ORDER BY a"))
                .containsExactly("1,10000", "1100,20000", "3100,30100");
    }

    @Test
    void aTransactionSeesItsOwnRows() throws SQLException {
        connection.setAutoCommit(false);
        assertThat(update("INSERT INTO visit VALUES (70, 70, 70) ON CONFLICT DO NOTHING"))
                .isEqualTo(1);
        assertThat(update("INSERT INTO visit VALUES (71, 70, 71), (72, 72, 72) ON CONFLICT DO NOTHING"))
                .isEqualTo(1);
        run(connection, "SAVEPOINT s");
        assertThat(inserted("(73, 73, 72), (74, 74, 74)", "DO NOTHING")).containsExactly("74");
        run(connection, "ROLLBACK TO s");
        assertThat(inserted("(75, 74, 75), (76, 1, 76)", "DO NOTHING")).containsExactly("75");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT id FROM visit WHERE id >= 70 ORDER BY id")).containsExactly("70", "72", "75");
    }

    /** As where the key is named: what the transaction has seen is not so any more. */
    @Test
    void aRowOfAnotherOneThatComesBeforeTheCommitIsAConflict() throws SQLException {
        try (Connection other = connect("")) {
            for (String clause : List.of("DO NOTHING", "(a) DO NOTHING")) {
                int id = clause.length();
                connection.setAutoCommit(false);
                update("INSERT INTO visit VALUES (" + id + "0, " + id + ", " + id + ") ON CONFLICT " + clause);
                run(other, "INSERT INTO visit VALUES (" + id + "1, " + id + ", 1" + id + ") ON CONFLICT " + clause);
                assertThat(state(connection, "COMMIT")).isEqualTo("40001");
                connection.setAutoCommit(true);
                assertThat(rows("SELECT id FROM visit WHERE a = " + id)).containsExactly(id + "1");
            }
        }
    }

    /** All clients insert the same keys at the same time; of each one row is there then, and no statement fails. */
    @Test
    void noneOfManyClientsFails() throws Exception {
        int keys = 60;
        long inserted = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(CLIENTS)) {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<Integer>> counts = new ArrayList<>();
            for (int client = 0; client < CLIENTS; client++) {
                int own = client;
                counts.add(threads.submit(() -> {
                    start.await();
                    int count = 0;
                    try (Connection by = connect("");
                            Statement statement = by.createStatement()) {
                        for (int key = 100; key < 100 + keys; key++) {
                            count += statement.executeUpdate("INSERT INTO visit VALUES (" + (1000 * (own + 1) + key)
                                    + ", " + key + ", NULL), (" + (10_000 * (own + 1) + key) + ", NULL, " + key
                                    + ") ON CONFLICT DO NOTHING");
                        }
                    }
                    return count;
                }));
            }
            start.countDown();
            for (Future<Integer> each : counts) {
                inserted += Objects.requireNonNull(each.get());
            }
        }
        assertThat(inserted).isEqualTo(2L * keys);
        assertThat(rows("SELECT COUNT(a), COUNT(b) FROM visit WHERE id > 100")).containsExactly(keys + "," + keys);
    }

    @Test
    void preparedStatementsAndGeneratedKeys() throws SQLException {
        update(
                "CREATE TABLE member (id serial PRIMARY KEY, mail text UNIQUE, code uuid DEFAULT gen_random_uuid() UNIQUE)");
        try (PreparedStatement statement = connection.prepareStatement(
                "INSERT INTO member (mail) VALUES (?), (?) ON CONFLICT DO NOTHING", Statement.RETURN_GENERATED_KEYS)) {
            for (int i = 0; i < 8; i++) {
                statement.setString(1, "m" + i);
                statement.setString(2, "m" + (i + i % 2));
                int expected = i % 2 == 1 ? 2 : i == 0 ? 1 : 0;
                assertThat(statement.executeUpdate()).isEqualTo(expected);
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    assertThat(rows(keys)).hasSize(expected);
                }
            }
        }
        assertThat(rows("SELECT COUNT(*), COUNT(DISTINCT code) FROM member")).containsExactly("9,9");
    }
}
