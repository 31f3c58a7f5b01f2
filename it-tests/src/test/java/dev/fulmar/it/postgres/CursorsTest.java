package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cursors that go back, and those that outlive their transaction, with PostgreSQL's JDBC driver. */
@Timeout(60)
class CursorsTest extends PostgresNodeFixture {
    CursorsTest() {
        super(false);
    }

    @BeforeEach
    void create() throws SQLException {
        update("CREATE TABLE item (id int PRIMARY KEY, name text)");
        update("INSERT INTO item SELECT g, 'n' || g FROM generate_series(1, 9) g");
    }

    private void run(String... statements) throws SQLException {
        run(connection, statements);
    }

    @Test
    void aCursorGoesBack() throws SQLException {
        for (String begin : new String[] {"BEGIN", "BEGIN READ ONLY"}) {
            run(begin, "DECLARE c SCROLL CURSOR FOR SELECT id FROM item ORDER BY id");
            assertThat(rows("FETCH LAST FROM c")).containsExactly("9");
            assertThat(rows("FETCH BACKWARD 2 FROM c")).containsExactly("8", "7");
            assertThat(rows("FETCH ABSOLUTE 3 FROM c")).containsExactly("3");
            assertThat(update("MOVE RELATIVE -2 IN c")).isEqualTo(1);
            assertThat(rows("FETCH 2 FROM c")).containsExactly("2", "3");
            run("COMMIT");
        }
        run("BEGIN", "DECLARE c NO SCROLL CURSOR FOR SELECT id FROM item ORDER BY id");
        assertThat(rows("FETCH ABSOLUTE 4 FROM c")).containsExactly("4");
        assertThat(state(connection, "FETCH PRIOR FROM c")).isEqualTo("55000");
        assertThat(state(connection, "FETCH NEXT FROM c")).isEqualTo("25P02");
        run("ROLLBACK");
    }

    @Test
    void aHeldCursorOutlivesItsTransaction() throws SQLException {
        run("BEGIN", "DECLARE c CURSOR WITH HOLD FOR SELECT id, name FROM item ORDER BY id");
        assertThat(rows("FETCH 2 FROM c")).containsExactly("1,n1", "2,n2");
        run("UPDATE item SET name = 'changed'", "COMMIT");
        assertThat(rows("FETCH NEXT FROM c")).containsExactly("3,n3");
        run("BEGIN", "DELETE FROM item");
        assertThat(rows("FETCH BACKWARD ALL FROM c")).containsExactly("2,n2", "1,n1");
        assertThat(state(connection, "DECLARE c CURSOR FOR SELECT 1")).isEqualTo("42P03");
        run("ROLLBACK");
        assertThat(rows("FETCH ABSOLUTE -1 FROM c")).containsExactly("9,n9");
        try (Connection another = connect("")) {
            assertThat(state(another, "FETCH NEXT FROM c")).isNotEqualTo("00000");
        }
        run("CLOSE c");
        assertThat(state(connection, "FETCH NEXT FROM c")).isNotEqualTo("00000");
    }

    @Test
    void openCursorsAreListed() throws SQLException {
        String list = "SELECT name, is_holdable, is_binary, is_scrollable FROM pg_cursors ORDER BY name";
        run(
                "BEGIN",
                "DECLARE a CURSOR WITH HOLD FOR SELECT 1",
                "SAVEPOINT s",
                "DECLARE b NO SCROLL CURSOR FOR SELECT 2");
        assertThat(rows(list)).containsExactly("a,t,f,t", "b,f,f,f");
        assertThat(rows("SELECT statement FROM pg_catalog.pg_cursors WHERE name = 'b'"))
                .containsExactly("DECLARE b NO SCROLL CURSOR FOR SELECT 2");
        run("ROLLBACK TO s");
        assertThat(rows(list)).containsExactly("a,t,f,t");
        run("DECLARE c CURSOR FOR SELECT 3", "RELEASE s");
        assertThat(rows(list)).hasSize(2);
        run("COMMIT");
        assertThat(rows(list)).containsExactly("a,t,f,t");
        run("CLOSE a");
        assertThat(rows(list)).isEmpty();
    }

    @Test
    void preparedStatementsAreListed() throws SQLException {
        run("PREPARE sum(int, text) AS SELECT $1 + length($2)", "PREPARE one AS SELECT 1");
        assertThat(
                        rows(
                                "SELECT name, statement, parameter_types FROM pg_prepared_statements WHERE from_sql ORDER BY 1"))
                .containsExactly(
                        "one,PREPARE one AS SELECT 1,{}",
                        "sum,PREPARE sum(int, text) AS SELECT $1 + length($2),{integer,text}");
        run("DEALLOCATE ALL");
        assertThat(rows("SELECT name FROM pg_prepared_statements WHERE from_sql"))
                .isEmpty();
    }

    /** A plan is none of the transaction, whose rows it does not read. */
    @Test
    void aTransactionShowsThePlanOfACursor() throws SQLException {
        run("BEGIN");
        assertThat(rows("EXPLAIN (COSTS OFF) DECLARE c CURSOR FOR SELECT id FROM item"))
                .anyMatch(line -> line.contains("scan"));
        assertThat(state(connection, "FETCH c")).isEqualTo("34000");
        run("ROLLBACK");
    }

    @Test
    void aHeldCursorNeedsNoTransactionOfItsOwn() throws SQLException {
        run("DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT id FROM item ORDER BY id DESC");
        assertThat(rows("FETCH 3 FROM c")).containsExactly("9", "8", "7");
        assertThat(rows("FETCH PRIOR FROM c")).containsExactly("8");
        run("CLOSE ALL");
        run("DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item ORDER BY id", "DISCARD ALL");
        run("DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item ORDER BY id");
        assertThat(rows("FETCH FROM c")).containsExactly("1");
    }

    @Test
    void aCursorOfATransactionThatIsUndoneIsNotHeld() throws SQLException {
        run("BEGIN", "DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item", "ROLLBACK");
        assertThat(state(connection, "FETCH NEXT FROM c")).isNotEqualTo("00000");
        run("BEGIN", "SAVEPOINT s", "DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item", "ROLLBACK TO s", "COMMIT");
        assertThat(state(connection, "FETCH NEXT FROM c")).isNotEqualTo("00000");
        run("BEGIN READ ONLY", "DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item ORDER BY id", "COMMIT");
        assertThat(rows("FETCH LAST FROM c")).containsExactly("9");
    }

    @Test
    void severalStatementsInOneQueryHoldACursor() throws SQLException {
        run("BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT id FROM item ORDER BY id; FETCH c; COMMIT");
        assertThat(rows("FETCH ALL FROM c")).hasSize(8);
    }
}
