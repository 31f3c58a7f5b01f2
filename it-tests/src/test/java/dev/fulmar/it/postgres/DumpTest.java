package dev.fulmar.it.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A dump that pg_dump of PostgreSQL 15 has written goes in as it is, and so do the changes of tables that it has. */
class DumpTest extends PostgresNodeFixture {
    DumpTest() {
        super(true);
    }

    private static List<String> dump(String name) throws IOException {
        try (InputStream in = DumpTest.class.getResourceAsStream("/postgres/" + name)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** Executes the statements, as psql does; rows of a COPY are in the lines behind it. */
    private void restore(List<String> lines) throws SQLException, IOException {
        StringBuilder statement = new StringBuilder();
        for (Iterator<String> line = lines.iterator(); line.hasNext(); ) {
            statement.append(line.next()).append('\n');
            String text = statement.toString().strip();
            if (!text.endsWith(";")) {
                continue;
            }
            if (text.endsWith("FROM stdin;")) {
                connection.unwrap(PGConnection.class).getCopyAPI().copyIn(text, new StringReader(copied(line)));
            } else {
                run(connection, text);
            }
            statement.setLength(0);
        }
    }

    private static String copied(Iterator<String> line) {
        StringBuilder rows = new StringBuilder();
        for (String row = line.next(); !row.equals("\\."); row = line.next()) {
            rows.append(row).append('\n');
        }
        return rows.toString();
    }

    @Test
    void aDumpGoesIn() throws SQLException, IOException {
        update("CREATE ROLE app");
        restore(dump("shop-dump.sql"));
        for (int life = 0; life < 2; life++) {
            assertThat(rows("SELECT COUNT(*), SUM(id), MIN(name) FROM shop.customer"))
                    .containsExactly("20,210,Name 1");
            assertThat(rows("SELECT COUNT(*), SUM(total), MIN(encode(data, 'hex')) FROM shop.orders"))
                    .containsExactly("20,315,00ff");
            assertThat(rows("SELECT a, c, e, f FROM public.plain ORDER BY a"))
                    .containsExactly("1,3.5,12345678901234567890.123456789,tab\there", "null,null,1,\\N");
            assertThat(rows("SELECT g, h, format_type(1186, atttypmod) FROM public.plain, pg_attribute"
                            + " WHERE attname = 'h' AND attrelid = 'public.plain'::regclass ORDER BY g"))
                    .containsExactly(
                            "1 year 2 mons -3 days +04:05:06,00:00:00.5,interval day to second(1)",
                            "null,1 day,interval day to second(1)");
            assertThat(rows("SELECT COUNT(*), SUM(orders), SUM(total) FROM shop.totals"))
                    .containsExactly("20,20,315");
            assertThat(rows("SELECT column_default FROM information_schema.columns"
                            + " WHERE table_name = 'orders' AND column_name = 'id'"))
                    .singleElement()
                    .asString()
                    .startsWith("nextval('");
            stop();
            start();
        }
        assertThat(rows("INSERT INTO shop.customer (email) VALUES ('new@x.org') RETURNING id, name"))
                .containsExactly("21,n/a");
        assertThat(rows("INSERT INTO shop.orders (customer_id) VALUES (21) RETURNING id, status"))
                .containsExactly("21,new");
        assertThat(rows("SELECT nextval('shop.ticket')")).containsExactly("1005");
        assertThat(state(connection, "INSERT INTO shop.orders (customer_id, status) VALUES (21, 'lost')"))
                .isEqualTo("23514");
        assertThat(state(connection, "INSERT INTO shop.orders (customer_id) VALUES (99)"))
                .isEqualTo("23503");
        assertThat(state(connection, "INSERT INTO shop.customer (email) VALUES ('new@x.org')"))
                .isEqualTo("23505");
        update("DELETE FROM shop.customer WHERE id = 21");
        assertThat(rows("SELECT COUNT(*) FROM shop.orders")).containsExactly("20");
    }

    @Test
    void aDumpWithArraysGoesIn() throws SQLException, IOException {
        restore(dump("arrays-dump.sql"));
        for (int life = 0; life < 2; life++) {
            assertThat(rows("SELECT * FROM public.post ORDER BY id"))
                    .containsExactly(
                            "1,{new,\"on sale\",NULL,\"a\\\\b\\\"c\"},{reader,writer},{1.50,NULL},{2024-02-29},"
                                    + "{\"2024-07-01 12:00:00+00\"},{t,f},{00000000-0000-0000-0000-000000000001},4",
                            "2,{},null,{},null,null,null,null,0",
                            "3,{old,\"tab\there\",\"\"},{owner},null,null,null,null,null,3");
            assertThat(rows("SELECT * FROM public.tagged ORDER BY id"))
                    .containsExactly(
                            "1,new,t,new,on sale,a\\b\"c,{new,\"on sale\",NULL,\"a\\\\b\\\"c\",more}",
                            "3,old,f,old,tab\there,,{old,\"tab\there\",\"\",more}");
            assertThat(state(connection, "INSERT INTO public.post (id, tags) VALUES (9, '{1,2,3,4,5,6}')"))
                    .isEqualTo("23514");
            assertThat(state(connection, "INSERT INTO public.post (id, roles) VALUES (9, '{thief}')"))
                    .isEqualTo("23514");
            stop();
            start();
        }
        assertThat(rows("INSERT INTO public.post (id) VALUES (4) RETURNING tags, roles, n"))
                .containsExactly("{},{reader,writer},0");
    }

    @Test
    void aDumpBringsTypesOfLabels() throws SQLException, IOException {
        restore(dump("labels-dump.sql"));
        for (int life = 0; life < 2; life++) {
            assertThat(rows("SELECT id, feels, wears FROM clinic.patient ORDER BY feels, id"))
                    .containsExactly("1,sad,Large", "3,meh,small", "5,ok,Large", "4,it's fine,null", "2,happy,null");
            assertThat(rows("SELECT feels FROM clinic.glad ORDER BY feels")).containsExactly("it's fine", "happy");
            assertThat(rows("SELECT day FROM clinic.visit WHERE feels < 'ok'")).containsExactly("2024-01-02");
            assertThat(state(connection, "INSERT INTO clinic.visit VALUES ('meh', '2024-01-02')"))
                    .isEqualTo("23505");
            assertThat(state(connection, "INSERT INTO clinic.patient (feels) VALUES ('sad')"))
                    .isEqualTo("23514");
            assertThat(state(connection, "INSERT INTO clinic.patient (feels) VALUES ('glad')"))
                    .isEqualTo("22P02");
            stop();
            start();
        }
        assertThat(rows("INSERT INTO clinic.patient (wears) VALUES ('small') RETURNING feels"))
                .containsExactly("ok");
        update("ALTER TYPE clinic.mood ADD VALUE 'ecstatic'");
        update("UPDATE clinic.patient SET feels = 'ecstatic' WHERE id > 5");
        assertThat(rows("SELECT max(feels) FROM clinic.glad")).containsExactly("ecstatic");
    }

    @Test
    void severalChangesOfATableAreOne() throws SQLException {
        run(
                connection,
                "CREATE TABLE city (id int PRIMARY KEY, old int)",
                "INSERT INTO city VALUES (1, 2)",
                "ALTER TABLE ONLY city ADD COLUMN name text NOT NULL DEFAULT 'x', DROP COLUMN old,"
                        + " ADD CONSTRAINT small CHECK (id < 10), OWNER TO CURRENT_USER");
        assertThat(rows("SELECT * FROM city")).containsExactly("1,x");
        assertThat(state(connection, "INSERT INTO city VALUES (10, 'y')")).isEqualTo("23514");
        update("ALTER TABLE city ADD COLUMN late int, ALTER COLUMN late SET DEFAULT 5, ADD CHECK (late > 0)");
        update("INSERT INTO city (id, name) VALUES (2, 'y')");
        assertThat(rows("SELECT late FROM city WHERE id = 2")).containsExactly("5");
        update("DELETE FROM city WHERE id = 2");
        update("ALTER TABLE city DROP COLUMN late CASCADE");
        assertThat(state(connection, "ALTER TABLE city ADD COLUMN a int, ADD COLUMN name int"))
                .isEqualTo("42701");
        assertThat(rows("SELECT * FROM city")).containsExactly("1,x");
        connection.setAutoCommit(false);
        update("ALTER TABLE city ADD COLUMN b numeric(10, 2), ALTER COLUMN name DROP DEFAULT");
        connection.rollback();
        connection.setAutoCommit(true);
        assertThat(rows("SELECT * FROM city")).containsExactly("1,x");
    }

    @Test
    void aSequenceIsThereAsLongAsAColumnDrawsFromIt() throws SQLException {
        run(
                connection,
                "CREATE SEQUENCE ticket",
                "CREATE TABLE a (id int DEFAULT nextval('ticket') PRIMARY KEY, v int)",
                "CREATE TABLE b (id bigint PRIMARY KEY DEFAULT nextval('ticket'::regclass), v int)");
        List<String> drawn = new ArrayList<>(rows("INSERT INTO a (v) VALUES (1), (2) RETURNING id"));
        drawn.addAll(rows("INSERT INTO b (v) SELECT v FROM a RETURNING id"));
        assertThat(drawn).doesNotHaveDuplicates().hasSize(4);
        assertThat(state(connection, "DROP SEQUENCE ticket")).isEqualTo("2BP01");
        update("ALTER SEQUENCE ticket RESTART WITH 100");
        assertThat(rows("INSERT INTO b (v) VALUES (3) RETURNING id")).containsExactly("100");
        run(
                connection,
                "ALTER TABLE a ALTER COLUMN id DROP DEFAULT",
                "ALTER TABLE b ALTER COLUMN id DROP DEFAULT",
                "DROP SEQUENCE ticket");
        assertThat(state(connection, "INSERT INTO b (v) VALUES (3)")).isEqualTo("23502");
    }

    /** It would go with its session, or with its column. */
    @Test
    void noColumnDrawsFromASequenceOfOthers() throws SQLException {
        run(connection, "CREATE TEMP SEQUENCE passing", "CREATE TABLE a (id serial PRIMARY KEY)");
        assertThat(state(connection, "CREATE TABLE b (id int DEFAULT nextval('passing'))"))
                .isEqualTo("0A000");
        assertThat(state(connection, "CREATE TABLE b (id int DEFAULT nextval('a_id_sequence'))"))
                .isEqualTo("0A000");
    }

    @Test
    void rightsAreGivenAsADumpGivesThem() throws SQLException {
        run(
                connection,
                "CREATE ROLE app",
                "CREATE TABLE a (id int PRIMARY KEY)",
                "CREATE SEQUENCE ticket",
                "GRANT SELECT,INSERT,UPDATE,DELETE ON TABLE public.a TO app",
                "REVOKE SELECT, INSERT, DELETE ON a FROM app",
                "GRANT SELECT,USAGE ON SEQUENCE public.ticket TO app",
                "GRANT USAGE ON SCHEMA public TO app");
        assertThat(state(connection, "GRANT USAGE ON SEQUENCE nowhere TO app")).isEqualTo("42P01");
    }

    @Test
    void aColumnBecomesAnIdentity() throws SQLException {
        run(
                connection,
                "CREATE TABLE city (id int NOT NULL, name text)",
                "INSERT INTO city VALUES (1, 'Oslo'), (2, 'Rome')",
                "ALTER TABLE city ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME city_id_seq START WITH 1"
                        + " INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1)",
                "SELECT setval('city_id_seq', 2, true)");
        assertThat(rows("INSERT INTO city (name) VALUES ('Bonn') RETURNING id")).containsExactly("3");
        assertThat(state(connection, "INSERT INTO city VALUES (7, 'Paris')")).isEqualTo("428C9");
        assertThat(state(connection, "ALTER TABLE city ALTER COLUMN name ADD GENERATED ALWAYS AS IDENTITY"))
                .isEqualTo("22023");
        update("DROP TABLE city");
        assertThat(state(connection, "SELECT nextval('city_id_seq')")).isEqualTo("42P01");
    }
}
