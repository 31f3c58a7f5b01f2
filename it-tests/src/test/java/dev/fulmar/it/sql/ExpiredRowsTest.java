package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of partitioned and of replicated tables go by themselves, with what refers to them and what is counted of them,
 * and stay away.
 */
@Timeout(120)
class ExpiredRowsTest {
    private static final int ROWS = 60;

    @TempDir
    private Path folder;

    private FulmarNode start() {
        return SmallNode.durable(folder, 3);
    }

    private static String counts(FulmarClient client) {
        ResultTable table = client.execute("SELECT (SELECT COUNT(*) FROM session), (SELECT COUNT(*) FROM visit),"
                        + " (SELECT COUNT(*) FROM setting), (SELECT SUM(visits) FROM visits)")
                .table()
                .first();
        return table.getLong(0) + " " + table.getLong(1) + " " + table.getLong(2) + " " + table.getLong(3);
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE session (id INTEGER NOT NULL PRIMARY KEY, seen TIMESTAMP)"
                + " USING TTL 2 SECONDS ON COLUMN seen BATCH_SIZE 4");
        client.execute("PARTITION TABLE session ON COLUMN id");
        client.execute(
                "CREATE TABLE visit (session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE, n INTEGER NOT NULL,"
                        + " PRIMARY KEY (session, n))");
        client.execute("PARTITION TABLE visit ON COLUMN session");
        client.execute("CREATE MATERIALIZED VIEW visits (n, visits) AS SELECT n, COUNT(*) FROM visit GROUP BY n");
        client.execute("CREATE TABLE setting (name VARCHAR(20) NOT NULL PRIMARY KEY, until TIMESTAMP)"
                + " USING TTL 2 SECONDS ON COLUMN until BATCH_SIZE 7 REPLICATED");
        for (int id = 0; id < ROWS; id++) {
            boolean stays = id % 3 == 0;
            String time = stays
                    ? "TIMESTAMP '9000-01-01 00:00:00'"
                    : id % 2 == 0 ? "CURRENT_TIMESTAMP" : "TIMESTAMP '2020-01-01 00:00:00'";
            client.execute("INSERT INTO session VALUES (" + id + ", " + time + ")");
            client.execute("INSERT INTO setting VALUES ('s" + id + "', " + time + ")");
            if (stays) {
                client.execute("INSERT INTO visit VALUES (" + id + ", 1)");
            }
        }
    }

    @Test
    void rowsGoAndStayAway() throws InterruptedException {
        String left = ROWS / 3 + " " + ROWS / 3 + " " + ROWS / 3 + " " + ROWS / 3;
        try (FulmarNode node = start();
                FulmarClient client = SmallNode.connect(node)) {
            create(client);
            while (!counts(client).equals(left)) {
                Thread.sleep(50);
            }
            Thread.sleep(2500);
            assertThat(counts(client)).isEqualTo(left);
        }
        try (FulmarNode node = start();
                FulmarClient client = SmallNode.connect(node)) {
            assertThat(counts(client)).isEqualTo(left);
            client.execute("INSERT INTO session VALUES (1000, CURRENT_TIMESTAMP)");
            while (!counts(client).equals(left)) {
                Thread.sleep(50);
            }
        }
    }
}
