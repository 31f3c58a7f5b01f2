package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Functions that yield several rows, and names of columns, with PostgreSQL's JDBC driver. */
@Timeout(60)
class RowFunctionsOfClientsTest extends PostgresNodeFixture {
    RowFunctionsOfClientsTest() {
        super(false);
    }

    private List<String> columns(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            ResultSetMetaData columns = rows.getMetaData();
            List<String> all = new ArrayList<>();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                all.add(columns.getColumnName(i) + " " + columns.getColumnTypeName(i));
            }
            return all;
        }
    }

    @Test
    void columnsHaveTheNamesAndTypesOfPostgres() throws SQLException {
        assertThat(columns("SELECT * FROM generate_series(1, 2)")).containsExactly("generate_series int4");
        assertThat(columns("SELECT * FROM generate_series(1, 2::bigint) AS g")).containsExactly("g int8");
        assertThat(columns("SELECT * FROM unnest('{a}'::text[]) WITH ORDINALITY"))
                .containsExactly("unnest text", "ordinality int8");
        assertThat(columns("SELECT * FROM unnest(ARRAY[1], ARRAY[2]) AS u"))
                .containsExactly("unnest int4", "unnest int4");
        assertThat(columns("SELECT generate_series(1, 2), unnest(ARRAY[1])"))
                .containsExactly("generate_series int4", "unnest int4");
        assertThat(columns("SELECT * FROM generate_series(1, 1.5, 0.5) AS g(x)"))
                .containsExactly("x numeric");
        assertThat(columns("SELECT * FROM generate_series('2024-01-01'::date, '2024-01-02', '1 day')"))
                .containsExactly("generate_series timestamptz");
    }

    @Test
    void columnsOfOneNameKeepIt() throws SQLException {
        run(connection, "CREATE TABLE a (id int PRIMARY KEY, n text)", "CREATE TABLE b (id int PRIMARY KEY, m text)");
        assertThat(columns("SELECT * FROM a, b")).containsExactly("id int4", "n text", "id int4", "m text");
        assertThat(columns("SELECT * FROM (SELECT * FROM a x JOIN a y ON x.id = y.id) AS s"))
                .containsExactly("id int4", "n text", "id int4", "n text");
        assertThat(columns("SELECT a.*, z.* FROM a JOIN b USING (id) JOIN a z USING (id)"))
                .containsExactly("id int4", "n text", "id int4", "n text");
        assertThat(columns("SELECT *, 1 AS id0 FROM a, b"))
                .containsExactly("id int4", "n text", "id0 int4", "m text", "id0 int4");
        run(connection, "CREATE VIEW v AS SELECT * FROM a, b");
        assertThat(columns("SELECT * FROM v")).containsExactly("id int4", "n text", "id0 int4", "m text");
        assertThat(state(connection, "CREATE TABLE c AS SELECT * FROM a, b")).isNotEqualTo("00000");
    }

    @Test
    void valuesOfQueriesHaveTheNamesOfTheirColumns() throws SQLException {
        assertThat(columns("SELECT (SELECT max(x) FROM (VALUES (1)) v(x)), (SELECT 1 AS one), ((SELECT 2))"))
                .containsExactly("max int4", "one int4", "?column? int4");
        assertThat(columns("SELECT (ARRAY[1, 2])[1], (count(*))")).containsExactly("array int4", "count int8");
    }

    @Test
    void boundsAreParameters() throws SQLException {
        try (PreparedStatement series =
                connection.prepareStatement("SELECT g FROM generate_series(1, ?, ?) AS g ORDER BY g DESC")) {
            for (int last : new int[] {3, 5, 0}) {
                series.setInt(1, last);
                series.setInt(2, 2);
                try (ResultSet rows = series.executeQuery()) {
                    assertThat(rows(rows)).hasSize((last + 1) / 2);
                }
            }
        }
    }

    @Test
    void whatCannotBeHasTheErrorsOfPostgres() {
        assertThat(state(connection, "SELECT * FROM generate_series(1, 2, 0)")).isEqualTo("22023");
        assertThat(state(connection, "SELECT * FROM generate_series(1.5::float8, 2)"))
                .isEqualTo("42883");
        assertThat(state(connection, "SELECT * FROM unnest(1)")).isEqualTo("42883");
        assertThat(state(connection, "SELECT 1 WHERE generate_series(1, 2) = 1"))
                .isEqualTo("42883");
        assertThat(state(connection, "SELECT * FROM generate_series(1, 2) AS g(a, b)"))
                .isEqualTo("42P10");
        assertThat(state(
                        connection,
                        "SELECT g FROM (VALUES (1)) v(x) RIGHT JOIN LATERAL generate_series(0, v.x) g ON true"))
                .isEqualTo("42P10");
    }

    /** A series takes the memory of one row, and ends with an error where nothing else ends it. */
    @Test
    void anEndlessSeriesHoldsNothing() throws SQLException {
        assertThat(rows("SELECT g FROM generate_series(1, 1000000000000) g LIMIT 1 OFFSET 100000"))
                .containsExactly("100001");
        run(connection, "SET statement_timeout = '500ms'");
        assertThat(state(connection, "SELECT count(*) FROM generate_series(1, 1000000000000)"))
                .isIn("57014", "54001");
        run(connection, "SET statement_timeout = 0");
        assertThat(rows("SELECT 1")).containsExactly("1");
    }

    /** Each partition would draw a number of its own, or a reader would write. */
    @Test
    void functionsOfRowsDrawNoNumbers() throws SQLException {
        update("CREATE SEQUENCE drawn");
        for (String sql : List.of(
                "SELECT generate_series(1, nextval('drawn'))",
                "SELECT nextval('drawn'), generate_series(1, 3)",
                "SELECT * FROM generate_series(1, nextval('drawn'))")) {
            assertThatThrownBy(() -> rows(sql))
                    .as(sql)
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
        }
    }

    /** The word is a name where no query follows. */
    @Test
    void materializedIsANameOfATable() throws SQLException {
        assertThat(rows("SELECT x FROM (VALUES (1)) AS materialized (x)")).containsExactly("1");
    }
}
