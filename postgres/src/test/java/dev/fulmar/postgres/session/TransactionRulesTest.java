package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.wire.postgres.message.Diagnostic;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Statements that need a transaction of the client's, or none. */
class TransactionRulesTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    private Diagnostic error() {
        return Objects.requireNonNull(client.error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SAVEPOINT s|SAVEPOINT",
                "RELEASE s|RELEASE SAVEPOINT",
                "RELEASE SAVEPOINT s|RELEASE SAVEPOINT",
                "ROLLBACK TO s|ROLLBACK TO SAVEPOINT",
                "ROLLBACK WORK TO SAVEPOINT s|ROLLBACK TO SAVEPOINT"
            })
    void savepointsAreOfTransactionsOfTheClient(String statement, String name) {
        for (String before : new String[] {"", "UPDATE t SET a = 1; ", "BEGIN; COMMIT; UPDATE t SET a = 1; "}) {
            assertThat(client.asks(before + statement + "; UPDATE t SET a = 2"))
                    .as(before)
                    .endsWith("ERROR 25P01", "ready I");
            assertThat(error().message()).isEqualTo(name + " can only be used in transaction blocks");
        }
        assertThat(database.asked).doesNotContain("1: UPDATE t SET a = 2").noneMatch(sql -> sql.contains("SAVEPOINT"));
        database.changes("UPDATE t SET a = 1", 1);
        client.says(parse("u", "UPDATE t SET a = 1"), parse("s", statement), sync());
        assertThat(client.says(bind("", "u"), execute("", 0), bind("", "s"), execute("", 0), sync()))
                .containsExactly("BindComplete", "UPDATE 1", "BindComplete", "ERROR 25P01", "ready I");
    }

    @Test
    void aSavepointIsInTheTransactionThatAQueryBegins() {
        assertThat(client.asks("UPDATE t SET a = 1; BEGIN; SAVEPOINT s; ROLLBACK TO s; RELEASE s; COMMIT"))
                .containsExactly("UPDATE", "BEGIN", "SAVEPOINT", "ROLLBACK", "RELEASE", "COMMIT", "ready I");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "BEGIN; DISCARD ALL",
                "UPDATE t SET a = 1; DISCARD ALL",
                "DISCARD ALL; UPDATE t SET a = 1",
                "DISCARD ALL; DISCARD ALL"
            })
    void allIsDiscardedOutsideOfTransactions(String query) {
        assertThat(client.asks(query)).contains("ERROR 25001").doesNotContain("DISCARD ALL");
        assertThat(error().message()).isEqualTo("DISCARD ALL cannot run inside a transaction block");
        client.asks("ROLLBACK");
        assertThat(client.asks("BEGIN")).containsExactly("BEGIN", "ready T");
        assertThat(client.asks("DISCARD ALL")).containsExactly("ERROR 25001", "ready E");
        assertThat(client.asks("DISCARD ALL")).containsExactly("ERROR 25P02", "ready E");
        assertThat(client.asks("ROLLBACK")).containsExactly("ROLLBACK", "ready I");
        assertThat(client.asks("DISCARD ALL;")).containsExactly("DISCARD ALL", "ready I");
    }

    @Test
    void whatIsLessThanAllIsDiscardedInTransactions() {
        assertThat(client.asks("BEGIN; DISCARD PLANS; DISCARD SEQUENCES; DISCARD TEMPORARY; COMMIT"))
                .containsExactly("BEGIN", "DISCARD PLANS", "DISCARD SEQUENCES", "DISCARD TEMP", "COMMIT", "ready I");
    }

    @Test
    void allIsDiscardedByAPreparedStatement() {
        client.says(parse("d", "DISCARD ALL"), sync());
        assertThat(client.says(bind("", "d"), execute("", 0), sync()))
                .containsExactly("BindComplete", "DISCARD ALL", "ready I");
        client.says(parse("d", "DISCARD ALL"), sync());
        client.asks("BEGIN");
        assertThat(client.says(bind("", "d"), execute("", 0), sync()))
                .containsExactly("BindComplete", "ERROR 25001", "ready E");
    }
}
