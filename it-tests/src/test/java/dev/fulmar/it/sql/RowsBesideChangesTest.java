package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Statements about rows in transactions that change tables, on a node with three partitions. */
@Timeout(180)
class RowsBesideChangesTest extends DurableNodeFixture {
    private static final String CREATE = "CREATE TABLE made (id BIGINT NOT NULL PRIMARY KEY, what VARCHAR(20))";

    RowsBesideChangesTest() {
        super(3);
    }

    /** One table of each placement: ACCOUNT with rows on all partitions, RATE with all rows on each. */
    @BeforeEach
    void fill() {
        run(
                "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT) PARTITION ON COLUMN id",
                "CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY, percent BIGINT) REPLICATED",
                "CREATE TABLE history (step INTEGER NOT NULL PRIMARY KEY, what VARCHAR(50))",
                "INSERT INTO rate VALUES (1, 10), (2, 20), (3, 30)");
        for (long id = 0; id < 20; id++) {
            client.execute("INSERT INTO account VALUES (?, ?)", id, 100 + id);
        }
    }

    private static long number(Session session, String query, Object... arguments) {
        return session.execute(query, arguments).table().first().getLong(0);
    }

    private static long changed(Session session, String statement, Object... arguments) {
        return session.execute(statement, arguments).longValue();
    }

    private void isAbsent(String table) {
        fails(ErrorCode.UNKNOWN_OBJECT, () -> client.execute("SELECT * FROM " + table));
    }

    private static Stream<TransactionMode> levels() {
        return Stream.of(Isolation.SERIALIZABLE, Isolation.SNAPSHOT, Isolation.READ_COMMITTED)
                .map(TransactionMode.USUAL::isolation);
    }

    @Test
    void noRowHasTheWordThatItsLabelHadBefore() {
        run(
                "CREATE TYPE mood AS ENUM ('sad', 'ok')",
                "CREATE TABLE guest (id BIGINT NOT NULL PRIMARY KEY, feels mood)",
                "INSERT INTO guest VALUES (1, 'sad'), (2, 'ok')");
        try (Session session = client.begin()) {
            session.execute("ALTER TYPE mood RENAME VALUE 'sad' TO 'low'");
            session.execute("ALTER TYPE mood RENAME VALUE 'ok' TO 'sad'");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT feels FROM guest WHERE feels = 'sad'"));
        }
    }

    @ParameterizedTest
    @MethodSource("levels")
    void rowsAndTablesChangeTogether(TransactionMode mode) {
        try (Session session = client.begin(mode)) {
            assertThat(changed(session, "UPDATE account SET balance = balance + 1 WHERE id < 10"))
                    .isEqualTo(10);
            session.execute(CREATE);
            assertThat(number(session, "SELECT SUM(balance) FROM account")).isEqualTo(2_200);
            assertThat(changed(session, "DELETE FROM account WHERE id = ?", 19)).isEqualTo(1);
            assertThat(changed(session, "UPSERT INTO rate VALUES (3, 31), (4, 40)"))
                    .isEqualTo(2);
            assertThat(changed(session, "INSERT INTO rate SELECT id + 10, percent FROM rate WHERE id < 3"))
                    .isEqualTo(2);
            assertThat(changed(session, "INSERT INTO history VALUES (1, 'made')"))
                    .isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM history")).isEqualTo(1);
            session.execute("INSERT INTO made VALUES (1, 'a'), (2, 'b')");
            assertThat(number(session, "SELECT COUNT(*) FROM account")).isEqualTo(19);
            assertThat(number(session, "SELECT SUM(percent) FROM rate")).isEqualTo(131);

            isAbsent("made");
            assertThat(number("SELECT SUM(balance) FROM account")).isEqualTo(2_190);
            assertThat(number("SELECT COUNT(*) FROM history")).isZero();
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(number("SELECT SUM(balance) FROM account")).isEqualTo(2_200 - 119);
            assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(19);
            assertThat(number("SELECT SUM(percent) FROM rate")).isEqualTo(131);
            assertThat(number("SELECT COUNT(*) FROM rate")).isEqualTo(6);
            assertThat(number("SELECT COUNT(*) FROM history")).isEqualTo(1);
            assertThat(number("SELECT COUNT(*) FROM made")).isEqualTo(2);
            restart();
        }
    }

    /** The text of a statement becomes a part of other texts. */
    @Test
    void aCommentBehindAStatementHidesNothing() {
        try (Session session = client.begin()) {
            session.execute(CREATE);
            assertThat(changed(session, "INSERT INTO made SELECT id, 'x' FROM account WHERE id < 3 -- some"))
                    .isEqualTo(3);
            assertThat(changed(session, "DELETE FROM made WHERE id = 2 -- the last"))
                    .isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM made -- all")).isEqualTo(2);
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM made")).isEqualTo(2);
    }

    @Test
    void rollbackAndSavepointsForgetRowsAndTables() {
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = 1 WHERE id = 1");
            session.execute(CREATE);
            session.savepoint("here");
            session.execute("UPDATE account SET balance = 2 WHERE id = 2");
            session.execute("CREATE INDEX made_what ON made (what)");
            session.rollbackTo("here");
            assertThat(number(session, "SELECT COUNT(*) FROM account WHERE balance < 3"))
                    .isEqualTo(1);
            session.commit();
        }
        assertThat(number("SELECT balance FROM account WHERE id = 1")).isEqualTo(1);
        assertThat(number("SELECT balance FROM account WHERE id = 2")).isEqualTo(102);
        client.execute("CREATE INDEX made_what ON made (what)");
        try (Session session = client.begin()) {
            session.execute("DELETE FROM account");
            session.execute("DROP TABLE made");
            session.rollback();
        }
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(20);
        assertThat(number("SELECT COUNT(*) FROM made")).isZero();
    }

    /** A table that was only read may be changed or dropped afterwards. */
    @Test
    void aTableMayBeDroppedThatWasRead() {
        try (Session session = client.begin()) {
            assertThat(number(session, "SELECT MAX(balance) FROM account")).isEqualTo(119);
            session.execute("DROP TABLE account");
            session.execute("INSERT INTO history VALUES (1, 'dropped at 119')");
            session.commit();
        }
        isAbsent("account");
        assertThat(number("SELECT COUNT(*) FROM history")).isEqualTo(1);
    }

    @Test
    void commitFailsIfWhatWasReadHasChanged() {
        Session session = client.begin();
        session.execute(CREATE);
        assertThat(number(session, "SELECT SUM(balance) FROM account")).isEqualTo(2_190);
        client.execute("UPDATE account SET balance = 0 WHERE id = 7");
        fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        isAbsent("made");

        Session second = client.begin();
        second.execute("UPDATE account SET balance = 1 WHERE balance > 110");
        second.execute(CREATE);
        client.execute("DELETE FROM account WHERE id = 15");
        fails(ErrorCode.SERIALIZATION_FAILURE, second::commit);
        isAbsent("made");
        assertThat(number("SELECT COUNT(*) FROM account WHERE balance = 1")).isZero();
    }

    @Test
    void commitDoesNotFailForChangesThatAreNotInItsWay() {
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = balance + 1000 WHERE id = 1");
            session.execute(CREATE);
            assertThat(number(session, "SELECT balance FROM account WHERE id = 2"))
                    .isEqualTo(102);
            client.execute("UPDATE account SET balance = 5 WHERE id = 1");
            client.execute("INSERT INTO account VALUES (100, 7)");
            session.commit();
        }
        assertThat(number("SELECT balance FROM account WHERE id = 1")).isEqualTo(1_005);
        assertThat(number("SELECT COUNT(*) FROM made")).isZero();
    }

    /** At SNAPSHOT the first committer wins, though the number of rows is the same; what was only read may change. */
    @Test
    void levelsKeepTheirPromises() {
        Session session = client.begin(TransactionMode.USUAL.isolation(Isolation.SNAPSHOT));
        session.execute("UPDATE account SET balance = balance + 1000 WHERE id = 1");
        session.execute(CREATE);
        client.execute("UPDATE account SET balance = 5 WHERE id = 1");
        fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        isAbsent("made");
        try (Session reader = client.begin(TransactionMode.USUAL.isolation(Isolation.SNAPSHOT))) {
            reader.execute(CREATE);
            reader.execute("SELECT * FROM account");
            reader.execute("UPDATE account SET balance = 3 WHERE id = 3");
            client.execute("UPDATE account SET balance = 4 WHERE id = 4");
            reader.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM account WHERE balance < 6")).isEqualTo(3);
    }

    @Test
    void rowsThatDoNotFitFailTheStatement() {
        try (Session session = client.begin()) {
            session.execute(CREATE);
            session.savepoint("before");
            fails(ErrorCode.UNIQUE_VIOLATION, () -> session.execute("INSERT INTO rate VALUES (3, 1)"));
            session.rollbackTo("before");
            session.execute("INSERT INTO rate VALUES (5, 1)");
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM rate")).isEqualTo(4);
        assertThat(number("SELECT COUNT(*) FROM made")).isZero();
    }

    /** A view that the transaction replaces means something else to its statements than to those of before. */
    @Test
    void aStatementMeansWhatTheTransactionSays() {
        run("CREATE VIEW rich AS SELECT id FROM account WHERE balance > 110");
        try (Session session = client.begin()) {
            assertThat(number(session, "SELECT COUNT(*) FROM rich")).isEqualTo(9);
            session.execute("DROP VIEW rich");
            session.execute("CREATE VIEW rich AS SELECT id FROM account WHERE balance > 115");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("SELECT COUNT(*) FROM rich"));
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM rich")).isEqualTo(4);
    }

    @Test
    void materializedViewsAndReferencesFollow() {
        run(
                "CREATE TABLE entry (id BIGINT NOT NULL PRIMARY KEY, rate BIGINT REFERENCES rate (id) ON DELETE CASCADE)"
                        + " REPLICATED",
                "INSERT INTO entry VALUES (1, 1), (2, 2), (3, 2)",
                "CREATE MATERIALIZED VIEW perRate AS SELECT rate, COUNT(*) AS n FROM entry GROUP BY rate");
        try (Session session = client.begin()) {
            session.execute(CREATE);
            assertThat(changed(session, "DELETE FROM rate WHERE id = 2")).isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM entry")).isEqualTo(1);
            assertThat(number(session, "SELECT COUNT(*) FROM perRate")).isEqualTo(1);
            session.commit();
        }
        restart();
        assertThat(number("SELECT COUNT(*) FROM entry")).isEqualTo(1);
        assertThat(number("SELECT n FROM perRate WHERE rate = 1")).isEqualTo(1);
        assertThat(number("SELECT COUNT(*) FROM perRate")).isEqualTo(1);
    }

    @Test
    void statementsThatAreSentWithoutWaitingRunInTheirOrder() {
        try (Session session = client.begin()) {
            List<CompletableFuture<?>> answers = new ArrayList<>();
            answers.add(session.executeAsync(CREATE));
            for (int id = 0; id < 10; id++) {
                answers.add(session.executeAsync("INSERT INTO made VALUES (?, 'x')", id));
                answers.add(session.executeAsync("UPDATE account SET balance = balance + 1 WHERE id = ?", id));
            }
            answers.forEach(CompletableFuture::join);
            assertThat(number(session, "SELECT SUM(balance) FROM account")).isEqualTo(2_200);
            session.commit();
        }
        assertThat(number("SELECT SUM(balance) FROM account")).isEqualTo(2_200);
        assertThat(number("SELECT COUNT(*) FROM made")).isEqualTo(10);
    }

    /** Others move rows over the limit between the run of a COMMIT's statements and the change of the catalog. */
    @Test
    void asManyRowsChangeAsTheClientWasTold() throws Exception {
        int done = 0;
        for (int round = 0; round < 40; round++) {
            client.execute("UPDATE account SET balance = CASE WHEN id < 10 THEN 50 ELSE 150 END");
            List<CompletableFuture<?>> others = new ArrayList<>();
            try (Session session = client.begin()) {
                session.execute("CREATE INDEX round" + round + " ON rate (percent)");
                long told = changed(session, "UPDATE account SET balance = 1000 WHERE balance < 100");
                for (int i = 0; i < round % 20; i++) {
                    others.add(client.executeAsync(
                            "UPDATE account SET balance = 200 - balance WHERE balance < 999 AND id = ?", (long) i));
                    others.add(client.executeAsync(
                            "UPDATE account SET balance = 200 - balance WHERE balance < 999 AND id = ?", (long) i));
                }
                session.commit();
                done++;
                assertThat(number("SELECT COUNT(*) FROM account WHERE balance = 1000"))
                        .isEqualTo(told);
            } catch (FulmarException conflict) {
                assertThat(conflict.code()).isEqualTo(ErrorCode.SERIALIZATION_FAILURE);
            }
            for (CompletableFuture<?> other : others) {
                other.get();
            }
        }
        assertThat(done).isPositive();
    }

    @Test
    void writersBesideItLoseNothing() throws Exception {
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = balance + 1 WHERE id = 0");
            session.execute(CREATE);
            assertThat(number(session, "SELECT COUNT(*) FROM account WHERE id < 20"))
                    .isEqualTo(20);
            List<CompletableFuture<?>> others = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                others.add(client.executeAsync("UPDATE account SET balance = balance + 1 WHERE id = ?", (long) i % 20));
            }
            session.commit();
            for (CompletableFuture<?> other : others) {
                other.get();
            }
        }
        assertThat(number("SELECT SUM(balance) FROM account")).isEqualTo(2_190 + 1 + 300);
        assertThat(number("SELECT COUNT(*) FROM made")).isZero();
    }
}
