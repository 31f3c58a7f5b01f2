package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements about rows of tables that their transaction has made or altered, on a node with three partitions. */
@Timeout(180)
class MigrationTest extends DurableNodeFixture {
    MigrationTest() {
        super(3);
    }

    private void fill(String placement) {
        run(
                "CREATE TABLE person (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20), age INTEGER) " + placement,
                "CREATE TABLE schema_version (version INTEGER NOT NULL PRIMARY KEY, script VARCHAR(100))");
        for (int id = 0; id < 20; id++) {
            client.execute("INSERT INTO person VALUES (?, ?, ?)", id, "name " + id, 30 + id);
        }
    }

    private static long number(Session session, String query, Object... arguments) {
        return session.execute(query, arguments).table().first().getLong(0);
    }

    private static long changed(Session session, String statement, Object... arguments) {
        return session.execute(statement, arguments).longValue();
    }

    /** As Flyway sends a script: a column is added, filled, and made NOT NULL; its history gets a row. */
    @ParameterizedTest
    @ValueSource(strings = {"PARTITION ON COLUMN id", "REPLICATED"})
    void aColumnIsAddedAndFilled(String placement) {
        fill(placement);
        try (Session session = client.begin()) {
            assertThat(number(session, "SELECT COUNT(*) FROM schema_version")).isZero();
            session.execute("ALTER TABLE person ADD COLUMN born INTEGER");
            assertThat(number(session, "SELECT COUNT(*) FROM person WHERE born IS NULL"))
                    .isEqualTo(20);
            assertThat(changed(session, "UPDATE person SET born = 2026 - age WHERE age < 40"))
                    .isEqualTo(10);
            assertThat(number(session, "SELECT SUM(born) FROM person")).isEqualTo(10 * 2026 - 345);
            assertThat(changed(session, "UPDATE person SET born = 1900 WHERE born IS NULL"))
                    .isEqualTo(10);
            session.execute("ALTER TABLE person ALTER COLUMN born SET NOT NULL");
            session.execute("ALTER TABLE person ADD CONSTRAINT old CHECK (born >= 1900)");
            session.execute("CREATE INDEX person_born ON person (born)");
            assertThat(number(session, "SELECT COUNT(*) FROM person WHERE born = 1900"))
                    .isEqualTo(10);
            assertThat(changed(session, "INSERT INTO schema_version VALUES (2, 'born')"))
                    .isEqualTo(1);
            assertThat(number("SELECT COUNT(*) FROM schema_version")).isZero();
            fails(ErrorCode.UNKNOWN_OBJECT, "SELECT born FROM person");
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(number("SELECT COUNT(*) FROM person WHERE born = 1900")).isEqualTo(10);
            assertThat(number("SELECT SUM(born) FROM person")).isEqualTo(10 * 2026 - 345 + 19_000);
            assertThat(number("SELECT COUNT(*) FROM schema_version")).isEqualTo(1);
            restart();
        }
        fails(ErrorCode.NOT_NULL_VIOLATION, "INSERT INTO person VALUES (100, 'x', 1, NULL)");
    }

    /** Changes after an UPDATE are about the rows that it has left, and COMMIT fails if these do not fit. */
    @Test
    void constraintsSeeTheRowsThatWereChangedBeforeThem() {
        fill("PARTITION ON COLUMN id");
        Session session = client.begin();
        session.execute("ALTER TABLE person ADD COLUMN born INTEGER");
        assertThat(changed(session, "UPDATE person SET born = 2000 WHERE id <> 7"))
                .isEqualTo(19);
        session.execute("ALTER TABLE person ALTER COLUMN born SET NOT NULL");
        fails(ErrorCode.NOT_NULL_VIOLATION, session::commit);
        fails(ErrorCode.UNKNOWN_OBJECT, "SELECT born FROM person");
        Session second = client.begin();
        second.execute("ALTER TABLE person ADD COLUMN born INTEGER DEFAULT 5 NOT NULL");
        assertThat(changed(second, "UPDATE person SET born = -1 WHERE id = 7")).isEqualTo(1);
        second.execute("ALTER TABLE person ADD CONSTRAINT positive CHECK (born > 0)");
        fails(ErrorCode.CHECK_VIOLATION, second::commit);
        assertThat(number("SELECT SUM(age) FROM person")).isEqualTo(790);
        restart();
        assertThat(number("SELECT SUM(age) FROM person")).isEqualTo(790);
    }

    /** A column is dropped, after its values have gone elsewhere. */
    @Test
    void aColumnTakesTheValuesOfAnother() {
        fill("PARTITION ON COLUMN id");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE person ADD COLUMN months BIGINT DEFAULT 0 NOT NULL");
            assertThat(changed(session, "UPDATE person SET months = age * 12")).isEqualTo(20);
            session.execute("ALTER TABLE person DROP COLUMN age");
            assertThat(number(session, "SELECT SUM(months) FROM person")).isEqualTo(790 * 12);
            assertThat(changed(session, "DELETE FROM person WHERE months < 372"))
                    .isEqualTo(1);
            assertThat(changed(session, "INSERT INTO person VALUES (50, 'new', 12), (51, 'newer', 24)"))
                    .isEqualTo(2);
            assertThat(number(session, "SELECT COUNT(*) FROM person")).isEqualTo(21);
            session.execute("ALTER TABLE person RENAME COLUMN months TO age_in_months");
            assertThat(number(session, "SELECT SUM(age_in_months) FROM person")).isEqualTo(790 * 12 - 360 + 36);
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(number("SELECT SUM(age_in_months) FROM person")).isEqualTo(790 * 12 - 360 + 36);
            assertThat(number("SELECT COUNT(*) FROM person")).isEqualTo(21);
            restart();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PARTITION ON COLUMN id", "REPLICATED"})
    void aNewTableTakesTheRowsOfAnOldOne(String placement) {
        fill(placement);
        try (Session session = client.begin()) {
            session.execute(
                    "CREATE TABLE adult (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(40), kind VARCHAR(9) DEFAULT 'usual') "
                            + placement);
            assertThat(number(session, "SELECT COUNT(*) FROM adult")).isZero();
            assertThat(changed(session, "INSERT INTO adult (id, name) SELECT id, name FROM person WHERE age >= 35"))
                    .isEqualTo(15);
            assertThat(number(session, "SELECT COUNT(*) FROM adult WHERE kind = 'usual'"))
                    .isEqualTo(15);
            assertThat(changed(session, "UPDATE adult SET kind = 'old' WHERE id >= 15"))
                    .isEqualTo(5);
            assertThat(changed(session, "DELETE FROM adult WHERE id = 19")).isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM adult WHERE kind = 'old'"))
                    .isEqualTo(4);
            session.execute("DROP TABLE person");
            assertThat(number(session, "SELECT COUNT(*) FROM adult")).isEqualTo(14);
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(number("SELECT COUNT(*) FROM adult WHERE kind = 'old'")).isEqualTo(4);
            assertThat(number("SELECT COUNT(*) FROM adult")).isEqualTo(14);
            assertThat(client.execute("SELECT name FROM adult WHERE id = 7")
                            .table()
                            .first()
                            .getString(0))
                    .isEqualTo("name 7");
            fails(ErrorCode.UNKNOWN_OBJECT, "SELECT * FROM person");
            restart();
        }
    }

    @Test
    void aTableOfTheSameNameIsAnotherOne() {
        fill("PARTITION ON COLUMN id");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE schema_version RENAME TO former");
            session.execute("DROP TABLE person");
            session.execute("CREATE TABLE person (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20))");
            session.execute("INSERT INTO person VALUES (1, 'first')");
            assertThat(number(session, "SELECT COUNT(*) FROM person")).isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM former")).isZero();
            assertThat(changed(session, "UPDATE person SET name = 'second'")).isEqualTo(1);
            session.commit();
        }
        restart();
        assertThat(number("SELECT COUNT(*) FROM person WHERE name = 'second'")).isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM former")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"SERIALIZABLE", "SNAPSHOT", "READ_COMMITTED"})
    void commitFailsIfMoreRowsWouldChangeThanWasSaid(String level) {
        fill("PARTITION ON COLUMN id");
        Session session = client.begin(TransactionMode.USUAL.isolation(Isolation.valueOf(level)));
        session.execute("ALTER TABLE person ADD COLUMN born INTEGER");
        assertThat(changed(session, "UPDATE person SET born = 1 WHERE age > 40"))
                .isEqualTo(9);
        client.execute("UPDATE person SET age = 99 WHERE id = 1");
        fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        fails(ErrorCode.UNKNOWN_OBJECT, "SELECT born FROM person");
        assertThat(number("SELECT COUNT(*) FROM person")).isEqualTo(20);
    }

    @Test
    void rollbackToASavepointForgetsRowsAndColumns() {
        fill("PARTITION ON COLUMN id");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE person ADD COLUMN born INTEGER");
            session.execute("UPDATE person SET born = 1");
            session.savepoint("here");
            session.execute("UPDATE person SET born = 2");
            session.execute("ALTER TABLE person ADD COLUMN more INTEGER DEFAULT 3");
            assertThat(number(session, "SELECT SUM(born + more) FROM person")).isEqualTo(100);
            session.rollbackTo("here");
            assertThat(number(session, "SELECT SUM(born) FROM person")).isEqualTo(20);
            session.commit();
        }
        assertThat(number("SELECT SUM(born) FROM person")).isEqualTo(20);
        fails(ErrorCode.UNKNOWN_OBJECT, "SELECT more FROM person");
    }

    /** Rows that were made of others stay as they were made, whatever becomes of these; else no query reads them. */
    @Test
    void rowsAreThoseOfTheMomentAtWhichTheyWereCopied() {
        fill("PARTITION ON COLUMN id");
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE copied (id BIGINT NOT NULL PRIMARY KEY, age INTEGER) PARTITION ON COLUMN id");
            session.execute("INSERT INTO copied SELECT id, age FROM person");
            assertThat(changed(session, "UPDATE person SET age = 0")).isEqualTo(20);
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT SUM(age) FROM copied"));
            session.commit();
        }
        assertThat(number("SELECT SUM(age) FROM copied")).isEqualTo(790);
        assertThat(number("SELECT SUM(age) FROM person")).isZero();
    }

    @Test
    void whatIsNotWhollyUnderstoodIsRefused() {
        fill("PARTITION ON COLUMN id");
        run(
                "CREATE VIEW adult AS SELECT id FROM person",
                "CREATE TABLE tag (id BIGINT NOT NULL PRIMARY KEY, person BIGINT NOT NULL) PARTITION ON COLUMN person");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE person ADD COLUMN born INTEGER");
            session.execute(
                    "CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, at TIMESTAMP DEFAULT CURRENT_TIMESTAMP)");
            for (String refused : List.of(
                    "SELECT COUNT(*) FROM adult",
                    "SELECT COUNT(*) FROM adult AS a JOIN person AS p ON a.id = p.id",
                    "WITH p AS (SELECT id FROM person) SELECT COUNT(*) FROM p",
                    "UPDATE person SET born = 1 RETURNING id",
                    "UPDATE person SET born = (SELECT MAX(person) FROM tag)",
                    "INSERT INTO person SELECT id, 'x', 1, 1 FROM tag",
                    "UPSERT INTO person VALUES (1, 'x', 1, 1)",
                    "SELECT * FROM person WHERE id = 1 FOR UPDATE")) {
                assertThatThrownBy(() -> session.execute(refused))
                        .as(refused)
                        .isInstanceOfSatisfying(
                                FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
            }
            assertThat(changed(session, "INSERT INTO note (id) VALUES (1)")).isEqualTo(1);
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT COUNT(*) FROM note"));
            assertThat(number(session, "SELECT COUNT(*) FROM person")).isEqualTo(20);
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM note WHERE at IS NOT NULL")).isEqualTo(1);
    }

    /** Values are converted to the types of columns before COMMIT as they are by it. */
    @Test
    void valuesAreShownAsTheyAreStored() {
        fill("PARTITION ON COLUMN id");
        String rows = "SELECT id, whole, exact, text, padded, day, moment, flag, real FROM person ORDER BY id";
        List<String> before;
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE person ADD COLUMN whole INTEGER DEFAULT 7");
            session.execute("ALTER TABLE person ADD COLUMN exact DECIMAL(10, 2) DEFAULT 1.5 NOT NULL");
            session.execute("ALTER TABLE person ADD COLUMN text VARCHAR(9) DEFAULT 'it''s'");
            session.execute("ALTER TABLE person ADD COLUMN padded CHAR(4) DEFAULT 'ab'");
            session.execute("ALTER TABLE person ADD COLUMN day DATE DEFAULT DATE '2026-01-02'");
            session.execute("ALTER TABLE person ADD COLUMN moment TIMESTAMP");
            session.execute("ALTER TABLE person ADD COLUMN flag BOOLEAN DEFAULT TRUE");
            session.execute("ALTER TABLE person ADD COLUMN real DOUBLE DEFAULT -2.5E0");
            session.execute("UPDATE person SET whole = 2.6, exact = 2.345, text = 'x' || id WHERE id = 1");
            session.execute("UPDATE person SET whole = -2.5, exact = 3, text = name, padded = 'z' WHERE id = 2");
            session.execute("UPDATE person SET whole = id * 1000, exact = age / 7, day = '2025-12-31' WHERE id = 3");
            session.execute("UPDATE person SET moment = '2025-12-31 10:11:12', real = 1, flag = id > 5 WHERE id = 4");
            session.execute("UPDATE person SET moment = CURRENT_TIMESTAMP, real = 0.1, exact = 0.1E0 WHERE id = 5");
            session.execute("UPDATE person SET whole = NULL, padded = NULL, text = '' WHERE id = 6 OR name IS NULL");
            session.execute(
                    "INSERT INTO person (id, exact, whole, padded) VALUES (30, 7, 3.4, 'a'), (31, 2.5, 1, 'bcd ')");
            session.execute(
                    "INSERT INTO person (id, text, day) VALUES (32, 'abc', DATE '2020-02-29'), (33, 'd', NULL)");
            before = texts(session.execute(rows));
            session.commit();
        }
        assertThat(before).hasSize(24);
        assertThat(texts(client.execute(rows))).isEqualTo(before);
        restart();
        assertThat(texts(client.execute(rows))).isEqualTo(before);
    }

    private static List<String> texts(CallResult result) {
        List<String> texts = new ArrayList<>();
        ResultTable table = result.table();
        while (table.next()) {
            List<Object> cells = new ArrayList<>();
            for (int i = 0; i < table.columnCount(); i++) {
                cells.add(table.isNull(i) ? "null" : table.getObject(i));
            }
            texts.add(String.valueOf(cells));
        }
        return texts;
    }
}
