package dev.fulmar.it.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.it.sql.SmallNode;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.wire.session.Isolation;
import dev.fulmar.wire.session.TransactionMode;
import java.io.IOException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stored procedures that a client of Fulmar's protocol calls by statements. */
class CallStatementsTest {
    private final FulmarNode node = SmallNode.start(2);
    private final FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @BeforeEach
    void createProcedures() throws IOException {
        CalledProcedures.create(node, folder);
    }

    @AfterEach
    void close() {
        client.close();
        node.close();
    }

    private long amount() {
        return client.execute("SELECT amount FROM purse WHERE id = 1")
                .table()
                .first()
                .getLong(0);
    }

    @Test
    void aStatementCallsAProcedure() {
        ResultTable left = client.execute("CALL Withdraw(?, 10 + 20)", 1).table();
        assertThat(left.columns().getFirst().name()).isEqualTo("WITHDRAW");
        assertThat(left.first().getLong(0)).isEqualTo(70);
        assertThat(client.execute("SELECT * FROM Withdraw(1, CAST(? AS BIGINT)) AS rest", 30)
                        .table()
                        .first()
                        .getLong(0))
                .isEqualTo(40);
        assertThat(amount()).isEqualTo(40);
        assertThat(client.execute("CALL Refill(7)").longValue()).isEqualTo(2);
        assertThat(client.execute("CALL purse.delete(1)").longValue()).isOne();
        assertThat(client.execute("CALL purse.insert(1, 8)").longValue()).isOne();
        assertThat(client.execute("CALL purse.select(?)", 1).table().first().getLong(1))
                .isEqualTo(8);
    }

    @Test
    void arraysAreParameters() {
        CallResult sum = client.execute("CALL Add(?)", (Object) new int[] {1, 2, 3});
        assertThat(sum.table().first().getLong(0)).isEqualTo(6);
    }

    /** A call by its name yields all tables. */
    @Test
    void aStatementHasOneResult() {
        assertThat(client.execute("CALL Twice(2)").tables()).hasSize(1);
        assertThat(client.execute("CALL Twice(0)").tables()).isEmpty();
        assertThat(client.call("Twice", 2).tables()).hasSize(2);
    }

    @Test
    void aProcedureOfOneStatementIsPartOfATransaction() {
        client.execute("CREATE TABLE note (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, word VARCHAR(10))");
        client.execute("CREATE PROCEDURE Jot AS INSERT INTO note (word) VALUES (?) RETURNING id");
        for (Isolation isolation : Isolation.values()) {
            try (Session session = client.begin(TransactionMode.USUAL.isolation(isolation))) {
                assertThat(session.execute("CALL Refill(?)", 50).longValue()).isEqualTo(2);
                assertThat(rows(session, "CALL Purses(10)")).isEqualTo(2);
                session.execute("SAVEPOINT filled");
                session.execute("CALL Refill(7)");
                assertThat(rows(session, "SELECT * FROM Purses(CAST(? AS INTEGER))", 10))
                        .isZero();
                session.execute("ROLLBACK TO SAVEPOINT filled");
                assertThat(rows(session, "SELECT * FROM Purses(10)")).isEqualTo(2);
                assertThat(amount()).as("others see nothing of it").isEqualTo(100);
            }
            assertThat(amount()).as("it is rolled back").isEqualTo(100);
            try (Session session = client.begin(TransactionMode.USUAL.isolation(isolation))) {
                session.execute("CALL Refill(50)");
                long id = session.execute("CALL Jot(?)", isolation.name().substring(0, 8))
                        .table()
                        .first()
                        .getLong(0);
                session.commit();
                assertThat(client.execute("SELECT word FROM note WHERE id = ?", id)
                                .table()
                                .first()
                                .getString(0))
                        .isEqualTo(isolation.name().substring(0, 8));
            }
            assertThat(amount()).isEqualTo(50);
            client.execute("CALL Refill(100)");
        }
    }

    /** The text of the procedure says so, not that of the call. */
    @Test
    void aQueryThatKeepsOthersFromItsRowsDoesSo() {
        client.execute("CREATE PROCEDURE Kept AS SELECT id FROM purse WHERE id = ? FOR UPDATE NOWAIT");
        try (Session first = client.begin();
                Session second = client.begin()) {
            assertThat(rows(first, "CALL Kept(1)")).isOne();
            assertCode(() -> second.execute("CALL Kept(1)"), ErrorCode.LOCK_NOT_AVAILABLE);
            assertThat(rows(second, "SELECT * FROM Kept(2)")).isOne();
        }
    }

    @Test
    void aTransactionThatOnlyReadsCallsQueries() {
        try (Session session = client.begin(TransactionMode.READ_ONLY)) {
            assertThat(rows(session, "CALL Purses(10)")).isEqualTo(2);
            client.execute("CALL Refill(5)");
            assertThat(rows(session, "SELECT * FROM Purses(?)", 10))
                    .as("its snapshot")
                    .isEqualTo(2);
            assertCode(() -> session.execute("CALL Refill(1)"), ErrorCode.READ_ONLY_TRANSACTION);
            assertCode(() -> session.execute("CALL Withdraw(1, 1)"), ErrorCode.ACTIVE_TRANSACTION);
            assertThat(rows(session, "CALL Purses(10)")).isEqualTo(2);
        }
        assertThat(amount()).isEqualTo(5);
    }

    @Test
    void whatAQueryOfAProcedureHasShownMustStayTheSame() {
        try (Session session = client.begin()) {
            assertThat(rows(session, "CALL Purses(10)")).isEqualTo(2);
            client.execute("UPDATE purse SET amount = 1 WHERE id = 2");
            assertCode(() -> session.execute("INSERT INTO purse VALUES (3, 1)"), ErrorCode.SERIALIZATION_FAILURE);
        }
    }

    @Test
    void itIsTheStatementThatTheProcedureHadWhenItWasCalled() {
        try (Session session = client.begin()) {
            session.execute("CALL Refill(7)");
            client.execute("CREATE OR REPLACE PROCEDURE Refill AS UPDATE purse SET amount = 1000 * ?");
            session.commit();
        }
        assertThat(amount()).isEqualTo(7);
    }

    @Test
    void otherProceduresAreNoPartOfATransaction() {
        client.execute("CREATE PROCEDURE Both AS BEGIN UPDATE purse SET amount = 1; SELECT id FROM purse; END");
        try (Session session = client.begin()) {
            for (String sql :
                    new String[] {"CALL Both()", "SELECT * FROM Refill(1)", "CALL Add(1)", "CALL purse.delete(1)"}) {
                assertCode(() -> session.execute(sql), ErrorCode.ACTIVE_TRANSACTION);
            }
            session.execute("UPDATE purse SET amount = 50");
            session.commit();
        }
        assertThat(amount()).isEqualTo(50);
    }

    private static int rows(Session session, String sql, Object... parameters) {
        return session.execute(sql, parameters).table().rowCount();
    }

    private static void assertCode(ThrowingCallable work, ErrorCode code) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void aCallOfJavaIsNoPartOfATransaction() {
        try (Session session = client.begin()) {
            session.execute("UPDATE purse SET amount = 50 WHERE id = 1");
            assertThatThrownBy(() -> session.execute("CALL Withdraw(1, 10)"))
                    .isInstanceOfSatisfying(
                            FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.ACTIVE_TRANSACTION))
                    .hasMessageContaining("call it by itself before BEGIN or behind COMMIT");
            session.commit();
        }
        assertThat(amount()).as("the transaction goes on without it").isEqualTo(50);
    }
}
