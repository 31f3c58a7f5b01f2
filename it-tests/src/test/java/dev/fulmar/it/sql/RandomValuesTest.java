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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RANDOM and GEN_RANDOM_UUID, on a node with three partitions. */
@Timeout(180)
class RandomValuesTest {
    private static final int ROWS = 200;

    @TempDir
    private Path folder;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        open();
        client.execute("CREATE TABLE numbers (n INTEGER PRIMARY KEY, chance DOUBLE, id UUID) PARTITIONED");
        StringBuilder values = new StringBuilder();
        for (int n = 0; n < ROWS; n++) {
            values.append(n == 0 ? "" : ", ").append('(').append(n).append(')');
        }
        client.execute("INSERT INTO numbers (n) VALUES " + values);
    }

    private void open() {
        node = SmallNode.durable(folder.resolve("data"), 3);
        client = SmallNode.connect(node);
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private List<Object> column(String sql) {
        return column(client.execute(sql).table());
    }

    private static List<Object> column(ResultTable table) {
        List<Object> values = new ArrayList<>();
        while (table.next()) {
            values.add(table.getObject(0));
        }
        return values;
    }

    private static void areChances(List<Object> values) {
        assertThat(values).allSatisfy(value -> assertThat((Double) value).isBetween(0.0, Math.nextDown(1.0)));
        assertThat(new HashSet<>(values)).hasSameSizeAs(values);
    }

    private static void areIds(List<Object> values) {
        assertThat(values).allSatisfy(value -> {
            assertThat(((UUID) value).version()).isEqualTo(4);
            assertThat(((UUID) value).variant()).isEqualTo(2);
        });
        assertThat(new HashSet<>(values)).hasSameSizeAs(values);
    }

    @Test
    void eachStatementHasItsOwnValues() {
        List<Object> chances = new ArrayList<>();
        List<Object> ids = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            chances.addAll(column("SELECT RANDOM()"));
            ids.addAll(column("SELECT GEN_RANDOM_UUID()"));
            ids.addAll(column("VALUES (GEN_RANDOM_UUID()), (GEN_RANDOM_UUID())"));
        }
        areChances(chances);
        areIds(ids);
    }

    @Test
    void eachRowOfAQueryHasItsOwn() {
        areChances(column("SELECT RANDOM() FROM numbers"));
        areIds(column("SELECT GEN_RANDOM_UUID() FROM numbers"));
        List<Object> order = column("SELECT n FROM numbers ORDER BY RANDOM()");
        assertThat(order).hasSize(ROWS).isNotEqualTo(column("SELECT n FROM numbers ORDER BY RANDOM()"));
        assertThat(new HashSet<>(order)).hasSize(ROWS);
        assertThat(column("SELECT n FROM numbers ORDER BY RANDOM() LIMIT 3")).hasSize(3);
        assertThat(column("SELECT n FROM numbers WHERE RANDOM() < 0.5")).hasSizeBetween(ROWS / 5, ROWS * 4 / 5);
        assertThat(column("SELECT COUNT(*) FROM numbers WHERE RANDOM() >= 1 OR RANDOM() < 0"))
                .containsExactly(0L);
    }

    /** An index would look for one value, and rows whose own value is equal would be missed. */
    @Test
    void aValueOfEachRowIsNoKeyOfAnIndex() {
        long found = 0;
        for (int i = 0; i < 5; i++) {
            found += column("SELECT n FROM numbers WHERE n = CAST(FLOOR(RANDOM() * 2) AS INTEGER) OR n < 0")
                    .size();
            found += column("SELECT n FROM numbers WHERE MOD(n, 2) = CAST(FLOOR(RANDOM() * 2) AS INTEGER)")
                    .size();
        }
        assertThat(found).isBetween(ROWS + 1L, 5L * ROWS);
        assertThat(column("EXPLAIN SELECT n FROM numbers WHERE n = CAST(FLOOR(RANDOM() * 2) AS INTEGER)"))
                .noneMatch(line -> line.toString().contains("index scan"));
    }

    /** Its tables are changed at COMMIT, and a node gives no values then. */
    @Test
    void aTransactionThatChangesTablesRefusesThemAtOnce() {
        for (String refused : List.of("INSERT INTO made (n) VALUES (1)", "SELECT RANDOM()")) {
            try (Session session = client.begin()) {
                session.execute("CREATE TABLE made (n INTEGER PRIMARY KEY, id UUID DEFAULT GEN_RANDOM_UUID())");
                assertThatThrownBy(() -> session.execute(refused))
                        .isInstanceOfSatisfying(
                                FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED))
                        .hasMessageContaining("random values");
                session.rollback();
            }
        }
    }

    /** Calcite writes BETWEEN and CASE with two copies of their first operand. */
    @Test
    void whatIsWrittenOnceIsOneValue() {
        for (int i = 0; i < 50; i++) {
            assertThat(column("SELECT CASE FLOOR(RANDOM() * 2) WHEN 0 THEN 'a' WHEN 1 THEN 'b' END"))
                    .isSubsetOf("a", "b");
        }
        assertThatThrownBy(() -> column("SELECT n FROM numbers WHERE RANDOM() BETWEEN 0.2 AND 0.4"))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }

    @Test
    void newRowsAreGivenValues() {
        client.execute("CREATE TABLE item (id UUID DEFAULT GEN_RANDOM_UUID() PRIMARY KEY, token UUID DEFAULT"
                + " GEN_RANDOM_UUID(), n INTEGER) PARTITIONED");
        client.execute("INSERT INTO item (n) VALUES (1), (2), (3)");
        client.execute("INSERT INTO item VALUES (GEN_RANDOM_UUID(), GEN_RANDOM_UUID(), 4), (DEFAULT, DEFAULT, 5)");
        client.execute("INSERT INTO item (n) SELECT n FROM numbers");
        client.execute("INSERT INTO item (id, n) SELECT GEN_RANDOM_UUID(), n FROM numbers");
        List<Object> ids = column("SELECT id FROM item");
        ids.addAll(column("SELECT token FROM item"));
        assertThat(ids).hasSize(2 * (5 + 2 * ROWS));
        areIds(ids);
        client.close();
        node.close();
        open();
        List<Object> after = column("SELECT id FROM item");
        after.addAll(column("SELECT token FROM item"));
        assertThat(after).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void changedRowsAreGivenValues() {
        client.execute("UPDATE numbers SET chance = RANDOM(), id = GEN_RANDOM_UUID()");
        areChances(column("SELECT chance FROM numbers"));
        areIds(column("SELECT id FROM numbers"));
        client.execute("DELETE FROM numbers WHERE RANDOM() < 0.5");
        assertThat(column("SELECT n FROM numbers")).hasSizeBetween(ROWS / 5, ROWS * 4 / 5);
    }

    /** The key of a row says its partition, which must not compute another one. */
    @Test
    void newRowsHaveKeysOfTheirOwnBesideRandomValuesOfWhatIsFound() {
        client.execute(
                "CREATE TABLE item (id UUID DEFAULT GEN_RANDOM_UUID() PRIMARY KEY, chance DOUBLE DEFAULT RANDOM(),"
                        + " n INTEGER) PARTITIONED");
        List<Object> returned = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            client.execute("INSERT INTO item (n) VALUES (1) ON CONFLICT (id) DO UPDATE SET chance = DEFAULT");
            client.execute("INSERT INTO item (n) VALUES (2), (3) ON CONFLICT (id) DO UPDATE SET chance = RANDOM()");
            returned.addAll(column("INSERT INTO item (n) VALUES (4), (5) RETURNING RANDOM()"));
        }
        areChances(returned);
        areIds(column("SELECT id FROM item"));
        areChances(column("SELECT chance FROM item"));
        Object id = column("SELECT id FROM item WHERE n = 1 LIMIT 1").getFirst();
        Object before =
                column("SELECT chance FROM item WHERE id = '" + id + "'").getFirst();
        client.execute(
                "INSERT INTO item (id, n) VALUES ('" + id + "', 1) ON CONFLICT (id) DO UPDATE SET chance = RANDOM()");
        assertThat(column("SELECT chance FROM item WHERE id = '" + id + "'"))
                .hasSize(1)
                .doesNotContain(before);
    }

    @Test
    void copiesOfAReplicatedTableAreEqual() {
        client.execute("CREATE TABLE code (id UUID DEFAULT GEN_RANDOM_UUID() PRIMARY KEY, n INTEGER) REPLICATED");
        client.execute("INSERT INTO code (n) VALUES (1), (2)");
        client.execute("INSERT INTO code (n) SELECT n FROM numbers");
        areIds(column("SELECT id FROM code"));
        assertThat(column("SELECT COUNT(*) FROM numbers p JOIN code c ON p.n = c.n WHERE p.n > 2"))
                .containsExactly((long) ROWS - 3);
        for (String refused :
                List.of("UPDATE code SET id = GEN_RANDOM_UUID()", "DELETE FROM code WHERE RANDOM() < 1")) {
            assertThatThrownBy(() -> client.execute(refused))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
        }
    }

    /** COMMIT runs the statements again, and must show what they showed. */
    @Test
    void aTransactionKeepsTheValuesThatItShowed() {
        for (int n = 0; n < 20; n++) {
            List<Object> chance;
            try (Session session = client.begin()) {
                String sample = "SELECT n FROM numbers ORDER BY RANDOM() LIMIT 5";
                assertThat(column(session.execute(sample).table()))
                        .isNotEqualTo(column(session.execute(sample).table()));
                session.execute("UPDATE numbers SET chance = RANDOM() WHERE n = " + n);
                chance = column(session.execute("SELECT chance FROM numbers WHERE n = " + n)
                        .table());
                session.commit();
            }
            assertThat(column("SELECT chance FROM numbers WHERE n = " + n)).isEqualTo(chance);
        }
        Set<Object> all = new HashSet<>(column("SELECT chance FROM numbers WHERE n < 20"));
        assertThat(all).hasSize(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (a DOUBLE CHECK (a < RANDOM()))",
                "CREATE TABLE t (a INTEGER, b DOUBLE GENERATED ALWAYS AS (a + RANDOM()) STORED)",
                "CREATE INDEX i ON numbers (n + RANDOM())",
                "CREATE VIEW v AS SELECT RANDOM() AS r FROM numbers",
                "ALTER TABLE numbers ADD COLUMN token UUID DEFAULT GEN_RANDOM_UUID()",
                "SELECT n, (SELECT RANDOM()) FROM numbers",
                "SELECT r, r FROM (SELECT RANDOM() AS r FROM numbers) AS s",
                "WITH s AS (SELECT RANDOM() AS r FROM numbers) SELECT a.r - b.r FROM s AS a, s AS b"
            })
    void isRefusedWhereItWouldNotFollowFromTheRowOrBeComputedTwice(String statement) {
        assertThatThrownBy(() -> client.execute(statement))
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.NOT_SUPPORTED));
    }
}
