package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Arrays for Java clients, which pass texts and get lists; arrays survive a restart. */
class ArraysTest extends DurableNodeFixture {
    private static final String WRITTEN = " { a , \"b c\",NULL}";
    private static final String CANONICAL = "{a,\"b c\",NULL}";

    ArraysTest() {
        super(2);
    }

    @Test
    void clientsPassTextsAndGetLists() {
        run(
                "CREATE TABLE list (id INTEGER NOT NULL PRIMARY KEY, t VARCHAR(5)[], n DECIMAL(20, 2)[])",
                "CREATE PROCEDURE keep PARTITION ON TABLE list COLUMN id AS INSERT INTO list VALUES (?, ?, ?)",
                "CREATE PROCEDURE change AS UPDATE list SET t = t || ? WHERE t @> ?");
        client.execute("INSERT INTO list VALUES (?, ?, ?)", 1, WRITTEN, "{1.5,NULL}");
        client.call("keep", 2, WRITTEN, "{1.5,NULL}");
        client.execute("INSERT INTO list VALUES (3, '" + WRITTEN + "', ARRAY[1.5, NULL])");
        client.call("list.insert", 4, WRITTEN, "{1.5,NULL}");
        assertThat(number("SELECT COUNT(*) FROM list WHERE t = ?", CANONICAL)).isEqualTo(4);
        client.call("change", "{é}", "{a}");
        restart();
        ResultTable rows =
                client.execute("SELECT t, n, t[4], n[1] FROM list ORDER BY id").table();
        for (int i = 0; i < 4; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getObject(0)).isEqualTo(Arrays.asList("a", "b c", null, "é"));
            assertThat(rows.getString(0)).isEqualTo("{a,\"b c\",NULL,é}");
            assertThat(rows.getString(1)).isEqualTo("{1.50,NULL}");
            assertThat(rows.getString(2)).isEqualTo("é");
            assertThat(rows.getString(3)).isEqualTo("1.50");
        }
    }

    /** Rows go to other partitions, where their arrays are the same, and after a restart too. */
    @Test
    void arraysMoveWithTheirRows() {
        run(
                "CREATE TABLE list (id INTEGER NOT NULL PRIMARY KEY, k INTEGER NOT NULL, t TEXT[], d DOUBLE ARRAY)"
                        + " PARTITION ON COLUMN id",
                "INSERT INTO list SELECT i, i % 7, ARRAY['a', NULL, CAST(i AS VARCHAR)], ARRAY[i / 2.0, NULL]"
                        + " FROM (VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9) AS v (i)");
        String query = "SELECT id, t, d, t[3] FROM list ORDER BY t, id";
        List<String> before = ResultRows.of(client, query, " ");
        assertThat(before).hasSize(9).startsWith("1 {a,NULL,1} {0.5,NULL} 1");
        run("ALTER TABLE list PARTITION ON COLUMN k");
        assertThat(ResultRows.of(client, query, " ")).isEqualTo(before);
        restart();
        assertThat(ResultRows.of(client, query, " ")).isEqualTo(before);
        assertThat(number("SELECT COUNT(*) FROM list WHERE t @> ARRAY['7'] AND k = 0"))
                .isEqualTo(1);
    }

    @Test
    void whatIsNoArrayIsRefused() {
        run("CREATE TABLE list (id INTEGER NOT NULL PRIMARY KEY, n INTEGER[], t TEXT[])");
        for (String text : List.of("", "{", "1", "{1,}", "{x}", "{1.5.5}")) {
            fails(ErrorCode.INVALID_TEXT, () -> client.execute("INSERT INTO list (id, n) VALUES (1, ?)", text));
        }
        fails(ErrorCode.INVALID_TEXT, () -> client.call("list.insert", 1, "nothing", null));
        fails(ErrorCode.VALUE_OUT_OF_RANGE, () -> client.call("list.insert", 1, "{3000000000}", null));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO list (id, n) VALUES (1, ?)", 7));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO list (id, n) VALUES (1, ?)", new byte[] {4}));
        fails(ErrorCode.NOT_SUPPORTED, () -> client.execute("INSERT INTO list (id, n) VALUES (1, ?)", "{{1}}"));
        String half = "x".repeat(600_000);
        fails(
                ErrorCode.STRING_TOO_LONG,
                () -> client.execute("INSERT INTO list (id, t) VALUES (1, ?)", "{" + half + "," + half + "}"));
        client.execute("INSERT INTO list (id, t) VALUES (1, ?)", "{" + half + "}");
        fails(ErrorCode.STRING_TOO_LONG, () -> client.execute("UPDATE list SET t = t || t"));
        fails(ErrorCode.STRING_TOO_LONG, () -> client.execute("SELECT ARRAY_AGG(t[1]) FROM list, (VALUES 1, 2) AS v"));
        assertThat(number("SELECT COUNT(*) FROM list")).isEqualTo(1);
    }
}
