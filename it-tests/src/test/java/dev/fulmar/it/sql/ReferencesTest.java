package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a foreign key does by itself is in the log, whether that has calls or rows, and holds after a restart. */
@Timeout(120)
class ReferencesTest {
    private static final int CUSTOMERS = 40;

    @TempDir
    private Path folder;

    private FulmarNode start() {
        return SmallNode.durable(folder, 3);
    }

    private static String counts(FulmarClient client) {
        ResultTable table = client.execute(
                        "SELECT (SELECT COUNT(*) FROM customer), (SELECT COUNT(*) FROM orders),"
                                + " (SELECT COUNT(*) FROM customer WHERE country IS NULL), (SELECT COUNT(*) FROM customer WHERE country = 'GB')")
                .table()
                .first();
        return table.getLong(0) + " " + table.getLong(1) + " " + table.getLong(2) + " " + table.getLong(3);
    }

    private static void fails(Runnable work) {
        assertThatThrownBy(work::run)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FOREIGN_KEY_VIOLATION));
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE country (code VARCHAR(2) NOT NULL PRIMARY KEY) REPLICATED");
        client.execute("CREATE TABLE customer (id INTEGER NOT NULL PRIMARY KEY,"
                + " country VARCHAR(2) REFERENCES country ON DELETE SET NULL ON UPDATE CASCADE)");
        client.execute("PARTITION TABLE customer ON COLUMN id");
        client.execute(
                "CREATE PROCEDURE leave PARTITION ON TABLE customer COLUMN id AS DELETE FROM customer WHERE id = ?");
        client.execute(
                "CREATE TABLE orders (customer INTEGER NOT NULL REFERENCES customer ON DELETE CASCADE, n INTEGER NOT NULL,"
                        + " PRIMARY KEY (customer, n))");
        client.execute("PARTITION TABLE orders ON COLUMN customer");
        client.execute("INSERT INTO country VALUES ('DE'), ('FR'), ('UK')");
    }

    @Test
    void actionsComeBackFromTheLog() {
        String before;
        try (FulmarNode node = start();
                FulmarClient client = SmallNode.connect(node)) {
            create(client);
            for (int id = 0; id < CUSTOMERS; id++) {
                client.call("CUSTOMER.insert", id, id % 4 == 0 ? "DE" : id % 4 == 1 ? "FR" : "UK");
                client.call("ORDERS.insert", id, 1);
                client.call("ORDERS.insert", id, 2);
            }
            fails(() -> client.call("ORDERS.insert", CUSTOMERS, 1));
            for (int id = 0; id < CUSTOMERS; id += 5) {
                client.call("leave", id); // made before there was anything that refers to customers
            }
            client.execute("DELETE FROM country WHERE code = 'FR'");
            client.execute("UPDATE country SET code = 'GB' WHERE code = 'UK'");
            before = counts(client);
            assertThat(before).isEqualTo("32 64 8 16");
        }
        for (int life = 0; life < 2; life++) {
            try (FulmarNode node = start();
                    FulmarClient client = SmallNode.connect(node)) {
                assertThat(counts(client)).isEqualTo(before);
                fails(() -> client.call("ORDERS.insert", 0, 1));
                fails(() -> client.call("CUSTOMER.insert", 0, "UK"));
            }
        }
    }
}
