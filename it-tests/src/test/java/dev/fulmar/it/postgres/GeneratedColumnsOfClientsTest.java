package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** Generated columns with PostgreSQL's JDBC driver, as PostgreSQL 15 has them, on a node that starts again. */
class GeneratedColumnsOfClientsTest extends PostgresNodeFixture {
    GeneratedColumnsOfClientsTest() {
        super(true);
    }

    private void create() throws SQLException {
        update("CREATE TABLE box (id integer PRIMARY KEY, w integer, h numeric(8, 2),"
                + " area numeric(12, 2) GENERATED ALWAYS AS (w * h) STORED, name text,"
                + " folded text GENERATED ALWAYS AS (lower(name) || '!') STORED)");
        update("CREATE INDEX box_folded ON box (folded)");
    }

    @Test
    void copyLeavesThemOut() throws SQLException, IOException {
        create();
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        copy.copyIn(
                "COPY box FROM STDIN",
                new ByteArrayInputStream("1\t2\t3.5\tA\n2\t\\N\t1\t\\N\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(rows("SELECT * FROM box ORDER BY id"))
                .containsExactly("1,2,3.50,7.00,A,a!", "2,null,1.00,null,null,null");
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        copy.copyOut("COPY box TO STDOUT", text);
        assertThat(text.toString(StandardCharsets.UTF_8).lines().sorted())
                .containsExactly("1\t2\t3.50\tA", "2\t\\N\t1.00\t\\N");
        copy.copyIn(
                "COPY box (name, id) FROM STDIN (FORMAT csv)",
                new ByteArrayInputStream("B,3\n".getBytes(StandardCharsets.UTF_8)));
        assertThat(rows("SELECT folded FROM box WHERE id = 3")).containsExactly("b!");
        ByteArrayOutputStream binary = new ByteArrayOutputStream();
        copy.copyOut("COPY box TO STDOUT (FORMAT binary)", binary);
        update("DELETE FROM box");
        copy.copyIn("COPY box FROM STDIN (FORMAT binary)", new ByteArrayInputStream(binary.toByteArray()));
        assertThat(rows("SELECT id, folded FROM box ORDER BY id")).containsExactly("1,a!", "2,null", "3,b!");
    }

    @Test
    void aTransactionSeesWhatItsRowsAreComputedTo() throws SQLException {
        create();
        update("INSERT INTO box (id, w, h, name) VALUES (1, 1, 1, 'One')");
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO box (id, w, h, name) VALUES (?, ?, ?, ?)")) {
            for (int id = 2; id < 12; id++) {
                insert.setInt(1, id);
                insert.setInt(2, id);
                insert.setInt(3, 10);
                insert.setString(4, "N" + id);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        assertThat(rows("SELECT id, area FROM box WHERE folded IN ('n7!', 'one!') ORDER BY id"))
                .containsExactly("1,1.00", "7,70.00");
        update("UPDATE box SET id = id + 100, w = 3 WHERE id IN (1, 7)");
        assertThat(rows("SELECT id, area FROM box WHERE area IN (3, 30) ORDER BY id"))
                .containsExactly("3,30.00", "101,3.00", "107,30.00");
        connection.commit();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT SUM(area) FROM box")).containsExactly("613.00");
        stop();
        start();
        assertThat(rows("SELECT SUM(area), MAX(folded) FROM box")).containsExactly("613.00,one!");
        assertThat(rows("SELECT id FROM box WHERE folded = 'n7!'")).containsExactly("107");
    }

    @Test
    void errorsHaveThePostgresStates() throws SQLException {
        create();
        assertThat(state(connection, "INSERT INTO box (id, area) VALUES (1, 2)"))
                .isEqualTo("428C9");
        assertThat(state(connection, "INSERT INTO box (id, area) VALUES (1, DEFAULT)"))
                .isEqualTo("00000");
        assertThat(state(connection, "UPDATE box SET area = 1")).isEqualTo("428C9");
        assertThat(state(connection, "UPDATE box SET area = DEFAULT")).isEqualTo("00000");
        assertThat(state(connection, "COPY box (id, area) FROM STDIN")).isEqualTo("428C9");
        assertThat(state(connection, "CREATE TABLE t (a int, b int GENERATED ALWAYS AS (b) STORED)"))
                .isEqualTo("42P17");
        assertThat(state(connection, "CREATE TABLE t (a int, b timestamptz GENERATED ALWAYS AS (now()) STORED)"))
                .isEqualTo("42P17");
        assertThat(state(connection, "CREATE TABLE t (a int, b int GENERATED ALWAYS AS ((SELECT 1)) STORED)"))
                .isEqualTo("0A000");
        assertThat(state(connection, "CREATE TABLE t (a int, b int GENERATED ALWAYS AS (sum(a)) STORED)"))
                .isIn("42803", "0A000");
        assertThat(state(connection, "ALTER TABLE box DROP COLUMN w")).isEqualTo("2BP01");
        assertThat(state(connection, "ALTER TABLE box ALTER w TYPE bigint")).isEqualTo("0A000");
    }

    /** PostgreSQL refuses such an expression, which does not follow from its row alone there. */
    @Test
    void theTimeZoneIsThatOfTheTablesMaker() throws SQLException {
        update("SET TimeZone = 'Europe/Oslo'");
        update("CREATE TABLE visit (id integer PRIMARY KEY, at timestamptz NOT NULL,"
                + " day date GENERATED ALWAYS AS (at::date) STORED)");
        update("INSERT INTO visit VALUES (1, '2024-01-01 00:30')");
        update("SET TimeZone = 'America/New_York'");
        update("INSERT INTO visit VALUES (2, '2024-01-01 00:30+01')");
        assertThat(rows("SELECT day FROM visit ORDER BY id")).containsExactly("2024-01-01", "2024-01-01");
        assertThat(state(connection, "ALTER TABLE visit RENAME at TO moment")).isEqualTo("2BP01");
        assertThat(state(connection, "ALTER TABLE visit ALTER at DROP NOT NULL"))
                .isEqualTo("2BP01");
        stop();
        start();
        update("UPDATE visit SET at = at + INTERVAL '1' DAY WHERE id = 1");
        assertThat(rows("SELECT day FROM visit ORDER BY id")).containsExactly("2024-01-02", "2024-01-01");
    }

    @Test
    void theCatalogTellsOfThem() throws SQLException {
        create();
        assertThat(rows("SELECT attname, attgenerated, atthasdef, pg_get_expr(adbin, adrelid)"
                        + " FROM pg_attribute a LEFT JOIN pg_attrdef d ON adrelid = attrelid AND adnum = attnum"
                        + " WHERE attrelid = 'box'::regclass AND attnum > 0 ORDER BY attnum"))
                .containsExactly(
                        "id,,f,null",
                        "w,,f,null",
                        "h,,f,null",
                        "area,s,t,w * h",
                        "name,,f,null",
                        "folded,s,t,lower(name) || '!'");
        assertThat(rows("SELECT column_name, column_default, is_generated, generation_expression"
                        + " FROM information_schema.columns WHERE table_name = 'box' AND ordinal_position > 2"
                        + " ORDER BY ordinal_position"))
                .containsExactly(
                        "h,null,NEVER,null",
                        "area,null,ALWAYS,(w * h)",
                        "name,null,NEVER,null",
                        "folded,null,ALWAYS,(lower(name) || '!')");
        List<String> generated = new ArrayList<>();
        try (ResultSet columns = connection.getMetaData().getColumns(null, null, "box", null)) {
            while (columns.next()) {
                if (columns.getString("IS_GENERATEDCOLUMN").equals("YES")) {
                    generated.add(columns.getString("COLUMN_NAME"));
                }
            }
        }
        assertThat(generated).containsExactly("area", "folded");
    }
}
