package dev.fulmar.postgres.session;

import static dev.fulmar.postgres.session.TalkingClient.bind;
import static dev.fulmar.postgres.session.TalkingClient.execute;
import static dev.fulmar.postgres.session.TalkingClient.parse;
import static dev.fulmar.postgres.session.TalkingClient.sync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.wire.postgres.message.FrontendMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Statements about several objects, and scripts of many statements. */
class ObjectListSessionTest {
    private final FakeDatabase database = new FakeDatabase();
    private final TalkingClient client = new TalkingClient(database);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP TABLE a CASCADE, b|21",
                "DROP TABLE a, b CASCADE, c|24",
                "TRUNCATE a RESTART IDENTITY, b|28",
                "DROP TABLE a, $1|15",
                "TRUNCATE a, $1|13",
                "ALTER TABLE a ADD b int DEFAULT $1, DROP c|33"
            })
    void aListThatIsNoneIsRefused(String statement, int place) {
        assertThat(client.asks(statement)).containsExactly("ERROR 42601 at " + place, "ready I");
        assertThat(client.asks("UPDATE t SET a = 1; " + statement))
                .containsExactly("ERROR 42601 at " + (place + 20), "ready I");
        assertThat(client.says(parse("", statement), bind("", ""), execute("", 0), sync()))
                .containsExactly("ERROR 42601 at " + place, "ready I");
        assertThat(database.asked).isEmpty();
        assertThat(client.isClosed).isFalse();
    }

    @Test
    void tablesMayHaveTheNamesOfOptions() {
        assertThat(client.requests("DROP TABLE cascade, b", "TRUNCATE a, cascade"))
                .contains("DROP TABLE cascade\n", "DROP TABLE b\n")
                .anyMatch(sql -> sql.matches("TRUNCATE\\s+TABLE cascade\\s+BESIDE a, cascade"));
    }

    @Test
    void typesOfParametersThatAListDoesNotHaveAreKept() {
        assertThat(client.says(
                        new FrontendMessage.Parse("", "DROP TABLE a, b", List.of(23)),
                        bind("", "", "1"),
                        execute("", 0),
                        sync()))
                .containsExactly("ParseComplete", "BindComplete", "DROP TABLE", "ready I");
        assertThat(client.says(new FrontendMessage.Parse("", "DROP TABLE a, b", List.of(23)), bind("", ""), sync()))
                .containsExactly("ParseComplete", "ERROR 08P01", "ready I");
    }

    @Test
    void aScriptOfTooManyStatementsIsRefused() {
        assertThat(client.asks("a;".repeat(150_001))).containsExactly("ERROR 54001 at 300001", "ready I");
        assertThat(client.asks("DROP TABLE a" + ",a".repeat(74_000))).containsExactly("ERROR 54001", "ready I");
        assertThat(client.asks("(".repeat(15 << 20))).containsExactly("ERROR 54001 at 150001", "ready I");
    }

    @Test
    void partsOfAPreparedStatementHoldMemory() {
        client.says(parse("s", "DROP TABLE a" + ",abcdefgh".repeat(1_000)), sync());
        assertThat(database.budget.underWayBytes()).isGreaterThan(100_000);
        client.asks("DEALLOCATE s");
        assertThat(database.budget.underWayBytes()).isZero();
    }
}
