package dev.fulmar.it.postgres;

import static dev.fulmar.it.postgres.TemporaryTableRightsTest.PASSWORD;
import static dev.fulmar.it.postgres.TemporaryTableRightsTest.assertStates;
import static dev.fulmar.it.postgres.TemporaryTableRightsTest.connect;

import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A right that is taken away counts for the transactions that are open, also for statements that they have sent. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RightsInTransactionsTest {
    @Test
    void whatIsTakenAwayIsMissingAtTheNextStatementAndAtTheCommit(@TempDir Path folder) throws Exception {
        try (FulmarNode node = TemporaryTableRightsTest.start(folder);
                Connection root = connect(node, "root")) {
            assertStates(
                    root,
                    "00000",
                    "CREATE TABLE p (a INTEGER PRIMARY KEY, b INTEGER)",
                    "INSERT INTO p VALUES (1, 1)",
                    "CREATE TABLE q (a INTEGER PRIMARY KEY)",
                    "CREATE USER ann PASSWORD '" + PASSWORD + "'",
                    "CREATE ROLE writer",
                    "GRANT SELECT ON p TO writer",
                    "GRANT UPDATE ON p TO writer",
                    "GRANT writer TO ann",
                    "CREATE ROLE reader",
                    "GRANT SELECT ON q TO reader",
                    "GRANT reader TO ann");
            try (Connection ann = connect(node, "ann");
                    Connection other = connect(node, "ann")) {
                for (Connection each : new Connection[] {ann, other}) {
                    assertStates(each, "00000", "BEGIN", "SELECT b FROM p WHERE a = 1", "SELECT a FROM q WHERE a = 1");
                }
                assertStates(ann, "00000", "UPDATE p SET b = 2 WHERE a = 1");
                assertStates(root, "00000", "REVOKE writer FROM ann");
                assertStates(ann, "40001", "COMMIT");
                assertStates(other, "40001", "SELECT a FROM q WHERE a = 1");
            }
            assertStates(root, "00000", "SELECT 1 / (2 - b) FROM p"); // b is 1
        }
    }
}
