package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.wiring.FulmarNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Values that a client gives for a CHAR, blanks and all, find what was stored with others, on whatever partition that
 * is. The script {@code char.script} has the literals.
 */
@Timeout(120)
class CharParametersTest {
    private static FulmarClient filled(FulmarNode node) {
        FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port());
        client.execute("CREATE TABLE K (C CHAR(4) NOT NULL PRIMARY KEY, N INTEGER, V VARCHAR(6))");
        client.execute("PARTITION TABLE K ON COLUMN C");
        client.execute("CREATE PROCEDURE FOUND PARTITION ON TABLE K COLUMN C AS SELECT N FROM K WHERE C = ?");
        client.execute("CREATE PROCEDURE STORED PARTITION ON TABLE K COLUMN C AS INSERT INTO K VALUES (?, ?, ?)");
        client.execute("INSERT INTO K VALUES (?, ?, ?)", "a  ", 1, "a  ");
        client.execute("INSERT INTO K VALUES (?, ?, ?)", "b", 2, "b  ");
        client.call("STORED", "c ", 3, "c  ");
        client.call("STORED", "d", 4, "d  ");
        return client;
    }

    private static List<String> rows(CallResult result) {
        return ResultRows.of(result.table(), " ");
    }

    private static void check(FulmarClient client, String condition, List<String> expected, @Nullable Object... given) {
        String ordered = " ORDER BY N";
        assertThat(rows(client.execute("SELECT N FROM K WHERE " + condition + ordered, given)))
                .as(condition)
                .isEqualTo(expected);
        assertThat(rows(client.execute(
                        "SELECT N FROM (SELECT N, " + condition + " AS X FROM K) Y WHERE X" + ordered, given)))
                .as("column: " + condition)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void conditionsTakeBlanksForNothing(int partitions) {
        try (FulmarNode node = SmallNode.start(partitions);
                FulmarClient client = filled(node)) {
            check(client, "C = ?", List.of("2"), "b ");
            check(client, "? = C", List.of("3"), "c   ");
            check(client, "C <> ?", List.of("1", "3", "4"), "b ");
            check(client, "C IN (?, ?)", List.of("1", "4"), "a ", "d  ");
            check(client, "C BETWEEN ? AND ?", List.of("2", "3"), "b  ", "c");
            check(client, "(C, N) = (?, ?)", List.of("2"), "b  ", 2);
            check(client, "(C, N) > (?, ?)", List.of("3", "4"), "b  ", 2);
            check(client, "CASE C WHEN ? THEN TRUE ELSE FALSE END", List.of("1"), "a  ");
            check(client, "NULLIF(C, ?) IS NULL", List.of("1"), "a  ");
            check(client, "C IS NOT DISTINCT FROM ?", List.of("1"), "a  ");
            check(client, "COALESCE(?, C) = 'd   '", List.of("1", "2", "3", "4"), "d  ");
            check(client, "C = CAST(? AS VARCHAR(9))", List.of("4"), "d     ");
            check(client, "C = CAST(? AS CHAR(2))", List.of("4"), "d ");
            check(client, "C IN (SELECT CAST(? AS VARCHAR(5)) FROM K)", List.of("4"), "d ");
            check(client, "V = C AND V = ?", List.of("1"), "a  ");
            check(client, "V = C AND C = ?", List.of("1"), "a ");
            check(client, "V = ?", List.of(), "a ");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void callsGoWhereTheRowIs(int partitions) {
        try (FulmarNode node = SmallNode.start(partitions);
                FulmarClient client = filled(node)) {
            for (String blanks : List.of("", " ", "   ")) {
                assertThat(rows(client.call("FOUND", "a" + blanks))).containsExactly("1");
                assertThat(rows(client.call("FOUND", "b" + blanks))).containsExactly("2");
                assertThat(rows(client.call("FOUND", "c" + blanks))).containsExactly("3");
                assertThat(rows(client.call("FOUND", "d" + blanks))).containsExactly("4");
            }
            assertThat(client.execute("UPDATE K SET N = N + 10 WHERE C IN (?, ?)", "a ", "c  ")
                            .longValue())
                    .isEqualTo(2);
            assertThat(client.execute("DELETE FROM K WHERE C = ? OR C BETWEEN ? AND ?", "a ", "c  ", "c ")
                            .longValue())
                    .isEqualTo(2);
            assertThat(rows(client.execute("SELECT C, N FROM K ORDER BY C"))).containsExactly("b 2", "d 4");
        }
    }
}
