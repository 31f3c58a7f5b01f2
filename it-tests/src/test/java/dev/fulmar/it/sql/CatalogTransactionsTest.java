package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions of many statements that change the catalog, on a node with three partitions. */
@Timeout(180)
class CatalogTransactionsTest extends DurableNodeFixture {
    CatalogTransactionsTest() {
        super(3);
    }

    private void isAbsent(String table) {
        fails(ErrorCode.UNKNOWN_OBJECT, () -> client.execute("SELECT * FROM " + table));
    }

    private void fill() {
        client.execute("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT)");
        for (long id = 0; id < 20; id++) {
            client.execute("INSERT INTO account VALUES (?, ?)", id, 100 + id);
        }
    }

    @Test
    void allChangesAreMadeAtTheCommit() {
        fill();
        try (Session session = client.begin()) {
            session.execute(
                    "CREATE TABLE invoice (id BIGINT NOT NULL PRIMARY KEY, account BIGINT, total DECIMAL(10, 2))");
            session.execute("CREATE INDEX invoice_account ON invoice (account)");
            session.execute("ALTER TABLE invoice ADD COLUMN note VARCHAR(40) DEFAULT 'none'");
            session.execute("ALTER TABLE account ADD COLUMN owner VARCHAR(40)");
            session.execute("ALTER TABLE account ADD COLUMN city VARCHAR(40) DEFAULT 'Oslo' NOT NULL");
            session.execute("CREATE INDEX account_city ON account (city)");
            session.execute("CREATE SEQUENCE number CACHE 10");
            session.execute("CREATE VIEW rich AS SELECT id, city FROM account WHERE balance > 110");
            session.execute("COMMENT ON TABLE invoice IS 'what is to be paid'");
            isAbsent("invoice");
            fails(ErrorCode.UNKNOWN_OBJECT, () -> client.execute("SELECT city FROM account"));
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            client.execute("INSERT INTO invoice (id, account, total) VALUES (?, 7, 1.5)", i);
            assertThat(number("SELECT COUNT(*) FROM invoice WHERE account = 7 AND note = 'none'"))
                    .isEqualTo(i + 1);
            assertThat(number("SELECT COUNT(*) FROM account WHERE city = 'Oslo' AND owner IS NULL"))
                    .isEqualTo(20);
            assertThat(number("SELECT COUNT(*) FROM rich")).isEqualTo(9);
            restart();
        }
        assertThat(number("SELECT NEXT VALUE FOR number")).isPositive();
    }

    @Test
    void rollbackForgetsAll() {
        fill();
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
            session.execute("DROP TABLE account");
            session.rollback();
        }
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE two (id BIGINT NOT NULL PRIMARY KEY)");
        }
        isAbsent("one");
        isAbsent("two");
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(20);
    }

    @Test
    void aSavepointKeepsWhatCameBefore() {
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
            session.savepoint("here");
            session.execute("CREATE TABLE two (id BIGINT NOT NULL PRIMARY KEY)");
            session.execute("DROP TABLE one");
            session.rollbackTo("here");
            session.execute("CREATE INDEX one_id ON one (id)");
            fails(ErrorCode.UNKNOWN_OBJECT, () -> session.execute("DROP TABLE two"));
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM one")).isZero();
        isAbsent("two");
    }

    @Test
    void aStatementIsCheckedAgainstWhatTheTransactionHasChanged() {
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
            fails(ErrorCode.OBJECT_EXISTS, () -> session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)"));
            session.execute("CREATE TABLE IF NOT EXISTS one (id BIGINT NOT NULL PRIMARY KEY)");
            fails(ErrorCode.UNKNOWN_OBJECT, () -> session.execute("CREATE INDEX i ON one (name)"));
            session.execute("ALTER TABLE one ADD COLUMN name VARCHAR(20)");
            session.execute("CREATE INDEX i ON one (name)");
            fails(ErrorCode.SYNTAX, () -> session.execute("CREATE TABEL two (id BIGINT)"));
            session.commit();
        }
        client.execute("INSERT INTO one VALUES (1, 'a')");
        assertThat(number("SELECT id FROM one WHERE name = 'a'")).isEqualTo(1);
    }

    @Test
    void rowsThatDoNotFitFailTheCommit() {
        fill();
        client.execute("UPDATE account SET balance = 5");
        Session session = client.begin();
        session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
        session.execute("ALTER TABLE account ADD CONSTRAINT rich CHECK (balance > 10)");
        fails(ErrorCode.CHECK_VIOLATION, session::commit);
        isAbsent("one");
        client.execute("UPDATE account SET balance = 50");
        client.execute("UPDATE account SET balance = 5");
    }

    @Test
    void aChangeOfAnotherClientFailsTheCommitIfItIsInTheWay() {
        Session session = client.begin();
        session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
        session.execute("CREATE TABLE two (id BIGINT NOT NULL PRIMARY KEY)");
        client.execute("CREATE TABLE two (name VARCHAR(10) NOT NULL PRIMARY KEY)");
        fails(ErrorCode.SERIALIZATION_FAILURE, session::commit);
        isAbsent("one");

        Session next = client.begin();
        next.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
        client.execute("CREATE TABLE three (id BIGINT NOT NULL PRIMARY KEY)");
        next.execute("CREATE INDEX one_id ON one (id)");
        next.commit();
        assertThat(number("SELECT COUNT(*) FROM one")).isZero();
    }

    @Test
    void definitionsThatComeWithTheCommitGoWithIndexes() {
        fill();
        client.execute("CREATE INDEX by_balance ON account (balance)");
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE account RENAME COLUMN balance TO amount");
            session.execute("DROP INDEX by_balance");
            session.execute("CREATE INDEX by_amount ON account (amount)");
            session.execute("ALTER TABLE account RENAME TO ledger");
            session.commit();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(number("SELECT id FROM ledger WHERE amount = 105")).isEqualTo(5);
            isAbsent("account");
            restart();
        }
        client.execute("INSERT INTO ledger VALUES (100, 1)");
        client.execute("DROP INDEX by_amount");
        assertThat(number("SELECT COUNT(*) FROM ledger")).isEqualTo(21);
    }

    @Test
    void anUndoneCommitLeavesIndexesAndDefinitions() {
        fill();
        client.execute("UPDATE account SET balance = 1");
        Session session = client.begin();
        session.execute("ALTER TABLE account RENAME COLUMN balance TO amount");
        session.execute("CREATE INDEX by_amount ON account (amount)");
        session.execute("CREATE UNIQUE INDEX one_amount ON account (id, amount)");
        session.execute("ALTER TABLE account ADD CONSTRAINT much CHECK (amount > 10)");
        fails(ErrorCode.CHECK_VIOLATION, session::commit);
        assertThat(number("SELECT COUNT(*) FROM account WHERE balance = 1")).isEqualTo(20);
        client.execute("CREATE INDEX by_amount ON account (balance)");
        assertThat(number("SELECT COUNT(*) FROM account WHERE balance = 1")).isEqualTo(20);
    }

    @Test
    void tablesThatTheTransactionDropsAgainLeaveNothing() {
        fill();
        try (Session session = client.begin()) {
            session.execute(
                    "CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name VARCHAR(9))");
            session.execute("CREATE INDEX i ON one (name)");
            session.execute("DROP TABLE one");
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY, account BIGINT NOT NULL)");
            session.execute("PARTITION TABLE one ON COLUMN id");
            session.execute("DROP TABLE account");
            session.execute("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY)");
            session.commit();
        }
        restart();
        client.execute("INSERT INTO one VALUES (1, 1)");
        assertThat(number("SELECT COUNT(*) FROM account")).isZero();
    }

    @Test
    void whatDoesNotBelongIntoATransactionIsRefused() {
        fill();
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
            for (String refused : List.of(
                    "CREATE TABLE two AS SELECT id FROM account",
                    "CREATE PROCEDURE p AS INSERT INTO account VALUES (?, ?)",
                    "DROP PROCEDURE IF EXISTS p",
                    "CREATE USER eve PASSWORD 'a long secret'",
                    "EXPLAIN CREATE TABLE two (id BIGINT)")) {
                assertThatThrownBy(() -> session.execute(refused))
                        .as(refused)
                        .isInstanceOfSatisfying(FulmarException.class, e -> {
                            assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.NOT_SUPPORTED);
                            assertThat(e.getMessage()).doesNotContain("secret");
                        });
            }
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM one")).isZero();
        try (Session session = client.begin()) {
            session.execute("SET TRANSACTION READ ONLY");
            fails(
                    ErrorCode.READ_ONLY_TRANSACTION,
                    () -> session.execute("CREATE TABLE two (id BIGINT NOT NULL PRIMARY KEY)"));
        }
    }

    @Test
    void statementsThatAreNoPartOfOneChangeAreRefused() {
        fill();
        try (Session session = client.begin()) {
            session.execute("ALTER TABLE account RENAME COLUMN balance TO amount");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("ALTER TABLE account ADD COLUMN city VARCHAR(9)"));
            session.execute("CREATE INDEX by_amount ON account (amount)");
            session.commit();
        }
        assertThat(number("SELECT amount FROM account WHERE id = 3")).isEqualTo(103);
    }

    /** As a migration tool does it: changes of tables, some rows, and a row of its history. */
    @Test
    void rowsComeWithTheChangeOrNotAtAll() {
        client.execute("CREATE TABLE history (step INTEGER NOT NULL PRIMARY KEY, what VARCHAR(50), at TIMESTAMP)");
        client.execute("CREATE TABLE log (what VARCHAR(50))");
        client.execute("INSERT INTO log VALUES ('first')");
        for (int run = 0; run < 2; run++) {
            try (Session session = client.begin()) {
                session.execute("INSERT INTO log VALUES ('before')");
                session.execute("CREATE TABLE city (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL)");
                session.execute("CREATE TABLE street (id BIGINT NOT NULL PRIMARY KEY, city BIGINT NOT NULL)");
                session.execute("CREATE INDEX city_name ON city (name)");
                assertThat(session.execute("INSERT INTO city VALUES (1, 'Oslo'), (2, 'Rome'), (3, 'Ulm'), (4, 'Bonn')")
                                .longValue())
                        .isEqualTo(4);
                session.execute("INSERT INTO city (name, id) VALUES (?, ?)", "Nice", 5);
                session.execute("INSERT INTO history VALUES (1, 'cities', CURRENT_TIMESTAMP)");
                session.execute("INSERT INTO log VALUES ('after'), ('after')");
                isAbsent("city");
                assertThat(number("SELECT COUNT(*) FROM history")).isZero();
                if (run == 0) {
                    session.rollback();
                } else {
                    session.commit();
                }
            }
            if (run == 0) {
                isAbsent("city");
                assertThat(number("SELECT COUNT(*) FROM history")).isZero();
            }
        }
        for (int i = 0; i < 3; i++) {
            assertThat(number("SELECT COUNT(*) FROM city")).isEqualTo(5 + i);
            assertThat(number("SELECT id FROM city WHERE name = 'Nice'")).isEqualTo(5);
            assertThat(number("SELECT COUNT(*) FROM history WHERE step = 1 AND at IS NOT NULL"))
                    .isEqualTo(1);
            assertThat(number("SELECT COUNT(*) FROM log")).isEqualTo(4 + i);
            client.execute("INSERT INTO city VALUES (?, 'x')", 10 + i);
            client.execute("INSERT INTO log VALUES ('later')");
            restart();
        }
    }

    @Test
    void rowsThatCannotBeAddedFailTheCommitAndUndoAll() {
        fill();
        client.execute("CREATE MATERIALIZED VIEW total AS SELECT balance, COUNT(*) AS n FROM account GROUP BY balance");
        Session session = client.begin();
        session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT CHECK (balance > 0))");
        session.execute("INSERT INTO account VALUES (100, 1), (101, 1), (102, 1), (103, 1)");
        client.execute("INSERT INTO account VALUES (103, 50)");
        fails(ErrorCode.UNIQUE_VIOLATION, session::commit);
        isAbsent("one");
        client.execute("DELETE FROM account WHERE id = 103");
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(20);

        Session second = client.begin();
        second.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT CHECK (balance > 0))");
        second.execute("INSERT INTO account VALUES (100, 7), (101, 7)");
        second.execute("INSERT INTO one VALUES (1, 0)");
        fails(ErrorCode.CHECK_VIOLATION, second::commit);
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(20);

        try (Session third = client.begin()) {
            third.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT CHECK (balance > 0))");
            third.execute("INSERT INTO account VALUES (100, 7), (101, 7)");
            third.execute("INSERT INTO one VALUES (1, 1)");
            third.commit();
        }
        restart();
        assertThat(number("SELECT n FROM total WHERE balance = 7")).isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM account WHERE balance = 7")).isEqualTo(2);
    }

    /** An IF NOT EXISTS that changes nothing does not lose the rows. */
    @Test
    void rowsComeAlsoIfTheTablesAreThere() {
        fill();
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE IF NOT EXISTS account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT)");
            session.execute("INSERT INTO account VALUES (100, 1)");
            session.commit();
        }
        restart();
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(21);
    }

    @Test
    void whatMayNotGoWithAChangeOfTablesIsRefusedAndLeavesTheTransactionAsItWas() {
        fill();
        client.execute("CREATE TABLE event (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what VARCHAR(9))");
        client.execute(
                "CREATE TABLE mail (id BIGINT NOT NULL PRIMARY KEY, address VARCHAR(20) UNIQUE) PARTITION ON COLUMN id");
        client.execute("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY)");
        try (Session session = client.begin()) {
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY, what VARCHAR(9))");
            session.execute("ALTER TABLE note ADD COLUMN what VARCHAR(9)");
            session.execute("INSERT INTO one VALUES (1, 'a')");
            for (String refused : List.of(
                    "UPDATE mail SET address = 'x'",
                    "MERGE INTO account AS a USING (VALUES (1)) AS v (id) ON a.id = v.id WHEN MATCHED THEN DELETE",
                    "INSERT INTO one VALUES (2, 'b') RETURNING id",
                    "INSERT INTO event (what) VALUES ('x')",
                    "INSERT INTO mail VALUES (1, 'a@b.c')",
                    "ALTER TABLE one ADD COLUMN more VARCHAR(9)",
                    "DROP TABLE one")) {
                fails(ErrorCode.NOT_SUPPORTED, () -> session.execute(refused));
            }
            fails(ErrorCode.UNKNOWN_OBJECT, () -> session.execute("INSERT INTO two VALUES (1)"));
            fails(
                    ErrorCode.TRANSACTION_TOO_LARGE,
                    () -> session.execute("INSERT INTO one VALUES (3, 'c') --" + "x".repeat(70_000)));
            session.execute("INSERT INTO one VALUES (?, ?)", 2, "b");
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM one")).isEqualTo(2);
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(20);
        try (Session session = client.begin()) {
            session.execute("UPDATE account SET balance = 1 WHERE id = 1");
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("DROP TABLE account"));
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("ALTER TABLE account ADD COLUMN c BIGINT"));
            session.execute("SELECT * FROM account");
            session.commit();
        }
        assertThat(number("SELECT balance FROM account WHERE id = 1")).isEqualTo(1);
        try (Session session = client.begin()) {
            fails(ErrorCode.UNIQUE_VIOLATION, () -> session.execute("INSERT INTO account VALUES (1, 1)"));
            fails(ErrorCode.NOT_SUPPORTED, () -> session.execute("DROP TABLE account"));
        }
    }

    @Test
    void readCommittedMayReadBeforeItChangesTables() {
        fill();
        try (Session session = client.begin(TransactionMode.USUAL.isolation(Isolation.READ_COMMITTED))) {
            session.execute("SELECT MAX(id) FROM account");
            session.execute("INSERT INTO account VALUES (20, 1)");
            session.execute("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)");
            session.commit();
        }
        assertThat(number("SELECT COUNT(*) FROM account")).isEqualTo(21);
        assertThat(number("SELECT COUNT(*) FROM one")).isZero();
    }

    @Test
    void statementsThatAreSentWithoutWaitingRunInTheirOrder() {
        try (Session session = client.begin()) {
            List<CompletableFuture<CallResult>> answers = new ArrayList<>();
            answers.add(session.executeAsync("CREATE TABLE one (id BIGINT NOT NULL PRIMARY KEY)"));
            for (int id = 0; id < 20; id++) {
                answers.add(session.executeAsync("INSERT INTO one VALUES (?)", id));
            }
            answers.add(session.executeAsync("CREATE TABLE two (id BIGINT NOT NULL PRIMARY KEY)"));
            answers.forEach(CompletableFuture::join);
            session.commit();
        }
        restart();
        assertThat(number("SELECT COUNT(*) FROM one")).isEqualTo(20);
        assertThat(number("SELECT COUNT(*) FROM two")).isZero();
    }
}
