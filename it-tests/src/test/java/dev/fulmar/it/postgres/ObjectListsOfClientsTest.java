package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements about several objects, and errors that name one, with PostgreSQL's JDBC driver. */
@Timeout(60)
class ObjectListsOfClientsTest extends PostgresNodeFixture {
    ObjectListsOfClientsTest() {
        super(false);
    }

    @Test
    void tablesHaveTheNamesOfOptions() throws SQLException {
        for (String name : new String[] {"cascade", "restart", "restrict", "beside", "b"}) {
            run(connection, "CREATE TABLE " + name + " (id int PRIMARY KEY)", "INSERT INTO " + name + " VALUES (1)");
        }
        run(connection, "TRUNCATE restart, b", "TRUNCATE b, cascade", "TRUNCATE restrict, beside CASCADE");
        for (String name : new String[] {"cascade", "restart", "restrict", "beside", "b"}) {
            assertThat(rows("SELECT * FROM " + name)).isEmpty();
        }
        for (String wrong : new String[] {
            "DROP TABLE b CASCADE, cascade",
            "TRUNCATE b RESTART IDENTITY, restart",
            "DROP TABLE b, cascade CASCADE, restart"
        }) {
            assertThat(state(connection, wrong)).isEqualTo("42601");
        }
        run(connection, "DROP TABLE cascade, b", "DROP TABLE restart, restrict, beside CASCADE");
        assertThat(state(connection, "SELECT * FROM cascade")).isEqualTo("42P01");
    }

    @Test
    void theKindOfAnObjectIsNotReadFromItsName() throws SQLException {
        run(connection, "CREATE TABLE columns_meta (id int)", "CREATE TABLE function_logs (id int)");
        Map<String, String> states = new TreeMap<>();
        states.put("SELECT * FROM column_stats", "42P01");
        states.put("SELECT * FROM function_log", "42P01");
        states.put("DROP TABLE parameters", "42P01");
        states.put("DROP VIEW \"type \"", "42P01");
        states.put("CREATE TABLE columns_meta (id int)", "42P07");
        states.put("SELECT schema_name FROM columns_meta", "42703");
        states.put("SELECT type_of_column(1)", "42883");
        states.put("ALTER TABLE columns_meta ADD id int", "42701");
        states.put("ALTER TABLE columns_meta DROP CONSTRAINT column_check", "42704");
        states.put("DROP TYPE columns_of_table", "42704");
        states.put("DROP INDEX table_column", "42704");
        states.put("DROP SCHEMA column_types", "3F000");
        states.put("DROP ROLE column_reader", "42704");
        for (Map.Entry<String, String> each : states.entrySet()) {
            assertThat(state(connection, each.getKey())).as(each.getKey()).isEqualTo(each.getValue());
        }
    }
}
