package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import org.junit.jupiter.api.Test;

/** JSON and JSONB for Java clients, which pass and get text; documents survive a restart. */
class DocumentsTest extends DurableNodeFixture {
    private static final String WRITTEN = "{ \"b\":1.50,\"a\" : [] }";
    private static final String CANONICAL = "{\"a\": [], \"b\": 1.50}";

    DocumentsTest() {
        super(2);
    }

    @Test
    void clientsPassAndGetTexts() {
        run(
                "CREATE TABLE doc (id INTEGER NOT NULL PRIMARY KEY, j JSON, b JSONB)",
                "CREATE PROCEDURE keep PARTITION ON TABLE doc COLUMN id AS INSERT INTO doc VALUES (?, ?, ?)",
                "CREATE PROCEDURE change AS UPDATE doc SET b = b || ? WHERE b @> ?");
        client.execute("INSERT INTO doc VALUES (?, ?, ?)", 1, WRITTEN, WRITTEN);
        client.call("keep", 2, WRITTEN, WRITTEN);
        client.execute("INSERT INTO doc VALUES (3, '" + WRITTEN + "', '" + WRITTEN + "')");
        client.call("doc.insert", 4, WRITTEN, WRITTEN);
        assertThat(number("SELECT COUNT(*) FROM doc WHERE b = ?", CANONICAL)).isEqualTo(4);
        client.call("change", "{\"c\":\"é\"}", "{\"b\":1.5}");
        restart();
        ResultTable rows = client.execute("SELECT j, b, b -> 'c', b ->> 'c' FROM doc ORDER BY id")
                .table();
        for (int i = 0; i < 4; i++) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getObject(0)).isEqualTo(WRITTEN);
            assertThat(rows.getString(1)).isEqualTo("{\"a\": [], \"b\": 1.50, \"c\": \"é\"}");
            assertThat(rows.getString(2)).isEqualTo("\"é\"");
            assertThat(rows.getString(3)).isEqualTo("é");
        }
    }

    @Test
    void whatIsNoDocumentIsRefused() {
        run("CREATE TABLE doc (id INTEGER NOT NULL PRIMARY KEY, j JSON, b JSONB)");
        fails(ErrorCode.INVALID_TEXT, () -> client.execute("INSERT INTO doc (id, j) VALUES (1, ?)", "{"));
        fails(ErrorCode.INVALID_TEXT, () -> client.execute("INSERT INTO doc (id, b) VALUES (1, ?)", "{"));
        fails(ErrorCode.INVALID_TEXT, () -> client.call("doc.insert", 1, "{}", "nothing"));
        fails(ErrorCode.TYPE_MISMATCH, () -> client.execute("INSERT INTO doc (id, b) VALUES (1, ?)", true));
        fails(
                ErrorCode.STATEMENT_TOO_COMPLEX,
                () -> client.execute("INSERT INTO doc (id, b) VALUES (1, ?)", "[".repeat(100_000)));
        // Nine kilobytes whose zeros would take the memory of the node.
        fails(
                ErrorCode.STRING_TOO_LONG,
                () -> client.execute("INSERT INTO doc (id, b) VALUES (1, ?)", "[" + "1e131071,".repeat(999) + "1]"));
        assertThat(number("SELECT COUNT(*) FROM doc")).isZero();
    }

    /** A part of one of two equal documents need not be a part of the other one. */
    @Test
    void equalDocumentsHaveConditionsOfTheirOwn() {
        run(
                "CREATE TABLE doc (id INTEGER NOT NULL PRIMARY KEY, b JSONB)",
                "INSERT INTO doc VALUES (7, '{\"q\": 1}'), (8, '{\"q\": 1.0}')");
        assertThat(number("SELECT COUNT(*) FROM doc x JOIN doc y ON x.b = y.b WHERE x.b ->> 'q' = '1'"))
                .isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM doc WHERE b IN (SELECT b FROM doc WHERE b ->> 'q' = '1')"))
                .isEqualTo(2);
    }
}
