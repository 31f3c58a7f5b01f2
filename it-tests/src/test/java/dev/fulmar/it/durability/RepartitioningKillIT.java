package dev.fulmar.it.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.cluster.FreePorts;
import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.client.RunningCall;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real node that is killed with SIGKILL while it places the rows of a table anew. */
final class RepartitioningKillIT {
    private static final int ROWS = 32_768;

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    @ParameterizedTest
    @ValueSource(strings = {"ORDERED", "HASH"})
    void theTableIsAsItWasAndIsWritten(String kind) throws Exception {
        int port = FreePorts.take(1).getFirst();
        String[] options = {"--partitions", "3", "--memory", "128m", "--postgres", "127.0.0.1:" + port};
        try (ServerProcess node = ServerProcess.start(folder, options);
                FulmarClient client = node.connect(1)) {
            client.execute("CREATE TABLE item (id INTEGER NOT NULL PRIMARY KEY USING " + kind
                    + ", k INTEGER NOT NULL) PARTITION ON COLUMN id");
            client.execute("INSERT INTO item VALUES (0, 0)");
            for (int there = 1; there < ROWS; there *= 2) {
                client.execute("INSERT INTO item SELECT id + " + there + ", MOD(id + " + there + ", 47) FROM item");
            }
            RunningCall placing =
                    client.statement("ALTER TABLE item PARTITION ON COLUMN k").start();
            try (Connection writer = connect(port)) {
                while (isWritten(writer)) {
                    assertThat(placing.outcome()).as("it has not begun").isNotDone();
                }
            }
            assertThat(placing.outcome()).as("it is under way").isNotDone();
            node.kill();
        }
        try (ServerProcess node = ServerProcess.start(folder, options);
                FulmarClient client = node.connect(1)) {
            try (Connection writer = connect(port)) {
                while (!isWritten(writer)) {
                    TimeUnit.MILLISECONDS.sleep(20); // a statement of the node drops the successor
                }
            }
            assertWhole(client, "ID");
            client.execute("ALTER TABLE item PARTITION ON COLUMN k");
            assertWhole(client, "K");
        }
    }

    /** Unlike Fulmar's client, PostgreSQL's driver does not send a refused statement again. */
    private static Connection connect(int port) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/fulmar?user=ann");
    }

    private static boolean isWritten(Connection writer) throws SQLException {
        try (Statement statement = writer.createStatement()) {
            return statement.executeUpdate("UPDATE item SET k = k WHERE id = 5") == 1;
        } catch (SQLException refused) {
            assertThat(refused.getMessage()).contains("is placing the rows of ITEM anew");
            return false;
        }
    }

    private static void assertWhole(FulmarClient client, String column) {
        ResultTable rows = client.execute("SELECT COUNT(*), SUM(id), SUM(k - MOD(id, 47)) FROM item")
                .table()
                .first();
        long count = rows.getLong(0);
        assertThat(rows.getLong(1)).isEqualTo(count * (count - 1) / 2);
        assertThat(rows.getLong(2)).isZero();
        assertThat(count).isEqualTo(ROWS);
        assertThat(client.execute("SELECT PARTITIONING_COLUMN FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 'ITEM'")
                        .table()
                        .first()
                        .getString(0))
                .isEqualTo(column);
    }
}
