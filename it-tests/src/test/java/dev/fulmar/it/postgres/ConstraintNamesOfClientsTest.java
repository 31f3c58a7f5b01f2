package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.postgresql.util.PSQLException;

/** The names of constraints that clients of PostgreSQL give, or leave to the server, on a node that starts again. */
class ConstraintNamesOfClientsTest extends PostgresNodeFixture {
    private static final String ALL = "SELECT conrelid::regclass, conname FROM pg_constraint ORDER BY 1, 2";

    private static final String TABLE = "a_table_with_a_name_that_is_as_long_as_names_can_be_in_postgres";
    private static final String COLUMN = "a_column_with_a_name_that_is_as_long_as_names_can_be_in_postgre";
    private static final String[] STATEMENTS = {
        "create schema a",
        "create table users (id int primary key, email text unique, age int check (age > 0), boss int references users,"
                + " name text, check (age > 1 and name <> ''), check (age < 200), check (1 = 1), unique (email, name),"
                + " constraint own unique (name))",
        "create table pair (a int, b int, primary key (a, b), foreign key (a) references users,"
                + " constraint given foreign key (b) references users (id), foreign key (b) references users)",
        "create table a.users (id int primary key, email text unique)",
        "create table \"Mixed\" (\"Id\" int primary key, v int unique check (v > 0))",
        "create table " + TABLE + " (id int primary key, " + COLUMN + " int unique, b int unique check (b > 0), check ("
                + COLUMN + " > b))",
        "create table t (a int, b int unique, c int check (c > 0) check (c < 10), constraint t_a_check check (b > 0),"
                + " check (a > 0), unique (a))",
        "alter table t add check (c > 2)",
        "alter table t add unique (a, c)",
        "alter table t add unique (c)",
        "alter table t add primary key (a)",
        "alter table t add column d int unique check (d > 0) references users",
        "create table äöü_tabelle_mit_einem_sehr_langen_namen_und_umlauten_äöü"
                + " (äpalte_mit_langem_namen_äöüäöüäöüäöü int unique, id int primary key)",
        "create table cols (a1234567890123456789012345678901234567890 int,"
                + " b1234567890123456789012345678901234567890 int, c int,"
                + " unique (a1234567890123456789012345678901234567890, b1234567890123456789012345678901234567890, c))",
        "create table x (a int constraint pk_x primary key, constraint x_a_key check (a > 0), b int, unique (b))",
        "create table x_b (key int unique, b int)",
        "alter table x add unique (a, b)"
    };

    /** Those that PostgreSQL 15 has after the same statements. */
    private static final List<String> NAMES = List.of(
            "Mixed_pkey",
            "Mixed_v_check",
            "Mixed_v_key",
            "a_table_with_a_name_that_is_a_a_column_with_a_name_that_is__key",
            "a_table_with_a_name_that_is_as_long_as_names_can_be_in__b_check",
            "a_table_with_a_name_that_is_as_long_as_names_can_be_in_po_b_key",
            "a_table_with_a_name_that_is_as_long_as_names_can_be_in_po_check",
            "a_table_with_a_name_that_is_as_long_as_names_can_be_in_pos_pkey",
            "cols_a1234567890123456789012345678901234567890_b12345678901_key",
            "given",
            "own",
            "pair_a_fkey",
            "pair_b_fkey",
            "pair_pkey",
            "pk_x",
            "t_a_c_key",
            "t_a_check",
            "t_a_check1",
            "t_a_key",
            "t_b_key",
            "t_c_check",
            "t_c_check1",
            "t_c_check2",
            "t_c_key",
            "t_d_check",
            "t_d_fkey",
            "t_d_key",
            "t_pkey",
            "users_age_check",
            "users_age_check1",
            "users_boss_fkey",
            "users_check",
            "users_check1",
            "users_email_key",
            "users_email_key",
            "users_email_name_key",
            "users_pkey",
            "users_pkey",
            "x_a_b_key",
            "x_a_key",
            "x_b_key",
            "x_b_key_key",
            "äöü_tabelle_mit_einem_sehr_langen_namen_und_umlauten_ä_pkey",
            "äöü_tabelle_mit_einem_sehr_äpalte_mit_langem_namen_äö_key");

    ConstraintNamesOfClientsTest() {
        super(true);
    }

    /** The constraint that an error names. */
    private String broken(String sql) {
        try {
            run(connection, sql);
            return "none";
        } catch (PSQLException e) {
            return Objects.requireNonNull(
                    Objects.requireNonNull(e.getServerErrorMessage()).getConstraint());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private void again() throws SQLException {
        stop();
        start();
    }

    @Test
    void aMigrationDropsWhatItHasNamed() throws SQLException {
        for (String table : List.of("users", "shop.users")) {
            update("CREATE SCHEMA IF NOT EXISTS shop");
            update("CREATE TABLE " + table + " (id INT CONSTRAINT pk_users PRIMARY KEY, email TEXT)");
            update("INSERT INTO " + table + " VALUES (1, 'a'), (2, 'b')");
            assertThat(broken("INSERT INTO " + table + " VALUES (1, 'c')")).isEqualTo("pk_users");
            again();
            assertThat(broken("INSERT INTO " + table + " VALUES (1, 'c')")).isEqualTo("pk_users");
            assertThatThrownBy(() -> update("ALTER TABLE " + table + " DROP CONSTRAINT users_pkey"))
                    .hasMessageContaining("has no constraint");
            update("ALTER TABLE " + table + " DROP CONSTRAINT pk_users");
            update("ALTER TABLE ONLY " + table + " ADD CONSTRAINT users_pkey PRIMARY KEY (id)");
            update("ALTER TABLE " + table + " ADD CONSTRAINT once UNIQUE (email)");
            assertThat(broken("INSERT INTO " + table + " VALUES (2, 'd')")).isEqualTo("users_pkey");
            assertThat(broken("INSERT INTO " + table + " VALUES (3, 'b')")).isEqualTo("once");
            assertThat(update("INSERT INTO " + table
                            + " VALUES (2, 'd') ON CONFLICT ON CONSTRAINT users_pkey DO NOTHING"))
                    .isZero();
            update("ALTER TABLE " + table + " DROP CONSTRAINT IF EXISTS users_pkey, DROP CONSTRAINT once");
            update("ALTER TABLE " + table + " ADD PRIMARY KEY (email)");
            again();
            assertThat(broken("INSERT INTO " + table + " VALUES (3, 'b')")).isEqualTo("users_pkey");
        }
        assertThat(rows(ALL)).containsExactlyInAnyOrder("users,users_pkey", "shop.users,users_pkey");
    }

    @Test
    void errorsNameConstraintsAsPostgresDoes() throws SQLException {
        run(
                connection,
                "CREATE TABLE users (id INT PRIMARY KEY, email TEXT UNIQUE, age INT CHECK (age > 0))",
                "CREATE TABLE orders (id INT PRIMARY KEY, user_id INT REFERENCES users)",
                "INSERT INTO users VALUES (1, 'a', 1)",
                "INSERT INTO orders VALUES (1, 1)");
        for (int life = 0; life < 2; life++) {
            assertThat(broken("INSERT INTO users VALUES (1, 'b', 2)")).isEqualTo("users_pkey");
            assertThat(broken("INSERT INTO users VALUES (2, 'a', 2)")).isEqualTo("users_email_key");
            assertThat(broken("INSERT INTO users VALUES (2, 'b', -2)")).isEqualTo("users_age_check");
            assertThat(broken("INSERT INTO orders VALUES (2, 7)")).isEqualTo("orders_user_id_fkey");
            assertThat(broken("DELETE FROM users")).isEqualTo("orders_user_id_fkey");
            assertThat(update("INSERT INTO users VALUES (1, 'x', 3) ON CONFLICT ON CONSTRAINT users_pkey"
                            + " DO UPDATE SET age = excluded.age"))
                    .isEqualTo(1);
            assertThat(rows("EXPLAIN SELECT * FROM users WHERE id = 1").toString())
                    .contains("USERS_PKEY");
            again();
        }
        assertThat(state(connection, "DROP INDEX users_pkey")).isEqualTo("0A000");
        assertThat(state(connection, "CREATE INDEX users_pkey ON orders (user_id)"))
                .isEqualTo("42P07");
        assertThat(state(connection, "CREATE TABLE other (id INT CONSTRAINT users_pkey PRIMARY KEY)"))
                .isEqualTo("42P07");
        assertThat(state(connection, "ALTER TABLE users ADD PRIMARY KEY (email)"))
                .isNotEqualTo("00000");
        update("ALTER INDEX users_pkey RENAME TO key_of_users");
        again();
        assertThat(broken("INSERT INTO users VALUES (1, 'b', 2)")).isEqualTo("key_of_users");
        assertThat(names(connection.getMetaData().getPrimaryKeys(null, null, "users"), "PK_NAME"))
                .containsExactly("key_of_users");
        assertThat(names(connection.getMetaData().getIndexInfo(null, null, "orders", true, true), "INDEX_NAME"))
                .containsExactly("orders_pkey");
        assertThat(names(connection.getMetaData().getImportedKeys(null, null, "orders"), "FK_NAME"))
                .containsExactly("orders_user_id_fkey");
        assertThat(rows("SELECT constraint_name FROM information_schema.table_constraints WHERE table_name = 'orders'"
                        + " AND constraint_type <> 'CHECK' ORDER BY 1"))
                .containsExactly("orders_pkey", "orders_user_id_fkey");
        update("ALTER TABLE orders DROP CONSTRAINT orders_user_id_fkey, DROP CONSTRAINT orders_pkey");
        assertThat(update("DELETE FROM users")).isEqualTo(1);
    }

    private static List<String> names(ResultSet rows, String column) throws SQLException {
        List<String> names = new ArrayList<>();
        while (rows.next()) {
            names.add(rows.getString(column));
        }
        return names;
    }

    @Test
    void namesThatNobodyGivesAreThoseOfPostgres() throws SQLException {
        run(connection, STATEMENTS);
        again();
        assertThat(rows("SELECT conname FROM pg_constraint")).containsExactlyInAnyOrderElementsOf(NAMES);
    }

    /** Constraints keep their names when their tables get others, so new tables get names with numbers. */
    @Test
    void renamedTablesKeepTheNames() throws SQLException {
        run(
                connection,
                "CREATE TABLE users (id INT PRIMARY KEY, email TEXT UNIQUE, age INT CHECK (age > 0))",
                "ALTER TABLE users RENAME TO users_old",
                "ALTER TABLE users_old RENAME COLUMN email TO mail",
                "CREATE TABLE users (id INT PRIMARY KEY, email TEXT UNIQUE, age INT CHECK (age > 0))");
        again();
        assertThat(rows(ALL))
                .containsExactlyInAnyOrder(
                        "users_old,users_pkey",
                        "users_old,users_email_key",
                        "users_old,users_age_check",
                        "users,users_pkey1",
                        "users,users_email_key1",
                        "users,users_age_check1");
        update("INSERT INTO users_old VALUES (1, 'a', 1)");
        assertThat(broken("INSERT INTO users_old VALUES (1, 'b', 1)")).isEqualTo("users_pkey");
    }

    @Test
    void aTransactionNamesWhatItMakes() throws SQLException {
        connection.setAutoCommit(false);
        run(
                connection,
                "CREATE TABLE users (id INT PRIMARY KEY, email TEXT)",
                "ALTER TABLE users ADD UNIQUE (email)",
                "ALTER TABLE users ADD CHECK (id > 0)",
                "ALTER TABLE users DROP CONSTRAINT users_pkey",
                "ALTER TABLE users ADD CONSTRAINT pk PRIMARY KEY (id)");
        connection.commit();
        connection.setAutoCommit(true);
        again();
        assertThat(rows(ALL)).containsExactlyInAnyOrder("users,pk", "users,users_email_key", "users,users_id_check");
        update("INSERT INTO users VALUES (1, 'a')");
        assertThat(broken("INSERT INTO users VALUES (1, 'b')")).isEqualTo("pk");
    }

    @Test
    void temporaryTablesOfTwoSessionsHaveTheSameNames() throws SQLException {
        try (Connection other = connect("")) {
            for (Connection each : List.of(connection, other)) {
                run(
                        each,
                        "CREATE TEMPORARY TABLE t (id INT PRIMARY KEY, a INT UNIQUE,"
                                + " b INT CONSTRAINT self REFERENCES t, c INT CONSTRAINT few CHECK (c < 5))",
                        "INSERT INTO t VALUES (1, 1, 1, 1)");
            }
            assertThat(broken("INSERT INTO t VALUES (1, 2, 1, 1)")).isEqualTo("t_pkey");
            assertThat(broken("INSERT INTO t VALUES (2, 1, 1, 1)")).isEqualTo("t_a_key");
            assertThat(broken("INSERT INTO t VALUES (2, 2, 7, 1)")).isEqualTo("self");
            assertThat(broken("INSERT INTO t VALUES (2, 2, 1, 7)")).isEqualTo("few");
            update("ALTER TABLE t DROP CONSTRAINT self");
            update("ALTER TABLE t DROP CONSTRAINT few");
            update("ALTER TABLE t DROP CONSTRAINT t_a_key");
            update("ALTER TABLE t DROP CONSTRAINT t_pkey");
            assertThat(update("INSERT INTO t VALUES (1, 1, 7, 7)")).isEqualTo(1);
        }
    }
}
