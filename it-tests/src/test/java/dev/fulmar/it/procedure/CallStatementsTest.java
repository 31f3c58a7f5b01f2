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
import java.io.IOException;
import java.nio.file.Path;
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
    void aCallIsNoPartOfATransaction() {
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
