package dev.fulmar.it.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.transfer.DatabaseDump;
import dev.fulmar.client.transfer.DatabaseLoad;
import dev.fulmar.client.transfer.TransferProgress;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.sql.text.ScriptSplitter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Generated columns on several partitions: whatever writes a row, they have the value of their expression. */
@Timeout(180)
class GeneratedColumnsTest {
    private static final TransferProgress QUIET = (table, rows, rejected) -> {};
    private static final int KEYS = 40;

    @TempDir
    private Path folder;

    private static List<String> rows(FulmarClient client, String query) {
        return ResultRows.of(client, query, " ");
    }

    private static void create(FulmarClient client) {
        client.execute("CREATE TABLE box (id INTEGER NOT NULL PRIMARY KEY, w INTEGER, total BIGINT GENERATED ALWAYS AS"
                + " (w * 3 + id) STORED, name VARCHAR(30), folded VARCHAR(40) GENERATED ALWAYS AS (LOWER(name)"
                + " || '-' || CAST(w AS VARCHAR(10))) STORED)");
        client.execute("PARTITION TABLE box ON COLUMN id");
        client.execute("CREATE INDEX box_folded ON box (folded)");
        client.execute("CREATE INDEX box_total ON box (total) USING HASH");
        client.execute("CREATE MATERIALIZED VIEW sums AS SELECT folded, COUNT(*) AS n, SUM(total) AS t FROM box"
                + " GROUP BY folded");
        client.execute("CREATE PROCEDURE rename AS UPDATE box SET name = ? WHERE w = ?");
    }

    /** Each row has what its expressions yield, each index finds it, and the view has the same sums. */
    private static void check(FulmarClient client) {
        assertThat(rows(
                        client,
                        "SELECT id FROM box WHERE total IS DISTINCT FROM w * 3 + id"
                                + " OR folded IS DISTINCT FROM LOWER(name) || '-' || CAST(w AS VARCHAR(10))"))
                .isEmpty();
        for (String row : rows(client, "SELECT id, total, folded FROM box WHERE folded IS NOT NULL")) {
            String[] values = row.split(" ", 3);
            assertThat(rows(client, "SELECT id FROM box WHERE folded = '" + values[2] + "' AND id = " + values[0]))
                    .containsExactly(values[0]);
            assertThat(rows(client, "SELECT id FROM box WHERE total = " + values[1] + " AND id = " + values[0]))
                    .containsExactly(values[0]);
        }
        assertThat(rows(client, "SELECT folded, n, t FROM sums ORDER BY 1, 2, 3"))
                .isEqualTo(
                        rows(client, "SELECT folded, COUNT(*), SUM(total) FROM box GROUP BY folded ORDER BY 1, 2, 3"));
    }

    private static void write(FulmarClient client, Random random) {
        int id = random.nextInt(KEYS);
        int w = random.nextInt(5);
        String name = "N" + random.nextInt(3);
        switch (random.nextInt(10)) {
            case 0 -> client.call("BOX.upsert", id, w, name);
            case 1 -> client.execute("UPSERT INTO box (id, w, name) VALUES (?, ?, ?)", id, w, name);
            case 2 -> client.execute("UPDATE box SET w = ? WHERE id = ?", w, id);
            case 3 -> client.execute("UPDATE box SET name = name || 'x' WHERE w = ? AND CHAR_LENGTH(name) < 9", w);
            case 4 -> client.call("rename", name, w);
            case 5 ->
                client.execute(
                        "INSERT INTO box (id, w, name) VALUES (?, ?, ?), (?, 1, 'A') ON CONFLICT (id) DO UPDATE"
                                + " SET w = box.w + 1, name = EXCLUDED.folded",
                        id,
                        w,
                        name,
                        (id + 1) % KEYS);
            case 6 ->
                client.execute(
                        "UPDATE box SET id = id + ?, w = 2 WHERE id = ? AND NOT EXISTS (SELECT 1 FROM box b"
                                + " WHERE b.id = box.id + ?)",
                        KEYS,
                        id,
                        KEYS);
            case 7 -> client.execute("DELETE FROM box WHERE id = ?", id);
            case 8 ->
                client.execute(
                        "MERGE INTO box USING (SELECT CAST(? AS INTEGER) AS k, CAST(? AS INTEGER) AS v) s"
                                + " ON box.id = s.k WHEN MATCHED THEN UPDATE SET w = v"
                                + " WHEN NOT MATCHED THEN INSERT (id, w, name) VALUES (k, v, 'm')",
                        id,
                        w);
            default -> client.execute("UPDATE box SET w = (SELECT MAX(w) FROM box), name = NULL WHERE id = ?", id);
        }
    }

    @Test
    void everyWriteComputesThemAndARestartKeepsThem() {
        long seed = 20260731;
        try (FulmarNode node = SmallNode.durable(folder.resolve("data"), 3);
                FulmarClient client = SmallNode.connect(node)) {
            create(client);
            Random random = new Random(seed);
            for (int i = 0; i < 400; i++) {
                write(client, random);
            }
            check(client);
        }
        try (FulmarNode node = SmallNode.durable(folder.resolve("data"), 3);
                FulmarClient client = SmallNode.connect(node)) {
            check(client);
            Random random = new Random(seed + 1);
            for (int i = 0; i < 100; i++) {
                write(client, random);
            }
            check(client);
            client.execute("DROP VIEW sums");
            client.execute("DROP PROCEDURE rename");
            client.execute("ALTER TABLE box ADD COLUMN later INTEGER NOT NULL GENERATED ALWAYS AS (COALESCE(w, 0) % 2)"
                    + " STORED");
            client.execute("ALTER TABLE box RENAME COLUMN w TO width");
            client.execute("ALTER TABLE box REPLICATED");
            assertThat(rows(
                            client,
                            "SELECT id FROM box WHERE later <> COALESCE(width, 0) % 2 OR total <> width * 3 + id"))
                    .isEmpty();
            client.execute("ALTER TABLE box PARTITION ON COLUMN id");
            client.execute("UPDATE box SET width = 7");
            assertThat(rows(client, "SELECT id FROM box WHERE later <> 1 OR total <> 21 + id"))
                    .isEmpty();
        }
    }

    @Test
    void aKeyOverPartitionsIsUniqueInThem() {
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = SmallNode.connect(node)) {
            client.execute("CREATE TABLE member (id INTEGER NOT NULL PRIMARY KEY, mail VARCHAR(30) NOT NULL,"
                    + " folded VARCHAR(30) NOT NULL GENERATED ALWAYS AS (LOWER(mail)) STORED UNIQUE)");
            client.execute("PARTITION TABLE member ON COLUMN id");
            for (int id = 0; id < 12; id++) {
                client.execute("INSERT INTO member (id, mail) VALUES (?, ?)", id, "M" + id);
            }
            for (int id = 0; id < 12; id++) {
                int other = id;
                refused(() -> client.execute("INSERT INTO member (id, mail) VALUES (?, ?)", 20 + other, "m" + other));
                refused(() -> client.execute("UPDATE member SET mail = 'm11' WHERE id = ?", other % 11));
            }
            client.execute("UPDATE member SET mail = UPPER(mail) || '!'");
            client.execute("INSERT INTO member (id, mail) VALUES (50, 'm11')");
            assertThat(rows(client, "SELECT id FROM member WHERE folded IN ('m11', 'm11!') ORDER BY id"))
                    .containsExactly("11", "50");
        }
    }

    private static void refused(Runnable write) {
        assertThatThrownBy(write::run)
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
    }

    @Test
    void aDumpIsLoadedAgain() throws IOException {
        Path directory = folder.resolve("dump");
        List<String> before;
        String query = "SELECT * FROM box ORDER BY id";
        try (FulmarNode node = SmallNode.start(2);
                FulmarClient client = SmallNode.connect(node)) {
            create(client);
            client.execute("CREATE TABLE keyed (a INTEGER NOT NULL, b INTEGER NOT NULL GENERATED ALWAYS AS (a + 1)"
                    + " STORED, PRIMARY KEY (a, b)) REPLICATED");
            client.execute("INSERT INTO keyed (a) VALUES (1), (2)");
            client.execute("INSERT INTO box (id, w, name) VALUES (1, 2, 'A'), (2, NULL, 'b'), (3, 4, 'its')");
            before = rows(client, query);
            new DatabaseDump(client, directory, 1, false, QUIET).run(List.of());
        }
        try (FulmarNode node = SmallNode.start(3);
                FulmarClient client = SmallNode.connect(node)) {
            List<String> schema = ScriptSplitter.split(Files.readString(directory.resolve(DatabaseDump.SCHEMA_FILE)));
            new DatabaseLoad(client, directory, QUIET).run(schema, false, 0, 10);
            assertThat(rows(client, query)).isEqualTo(before);
            assertThat(rows(client, "SELECT a, b FROM keyed ORDER BY a")).containsExactly("1 2", "2 3");
            check(client);
        }
    }
}
