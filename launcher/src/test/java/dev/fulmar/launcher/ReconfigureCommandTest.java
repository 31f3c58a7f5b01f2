package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys move between the partitions of a node while clients work. */
@Timeout(240)
class ReconfigureCommandTest {
    private static final int ACCOUNTS = 3_000;
    private static final String AWAY =
            "{\"plan\": {\"*\": {\"Partition 0\": \"[-500)\", \"Partition 1\": [\"[500-1200)\", \"[1700-)\"],"
                    + " \"Partition 2\": [\"[1200-1700)\", \"2222\"]}}}";

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private FulmarNode start() {
        return FulmarNode.start(NodeConfiguration.of(new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "data", folder.resolve("data").toString(),
                "durability", "sync",
                "partitions", "2",
                "partitions.spare", "1",
                "partitioning", "range:0,1500",
                "sites", "1",
                "memory.limit", "256m"))));
    }

    private int run(FulmarNode node, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--host", "127.0.0.1:" + node.port()));
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    private static void load(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, note"
                    + " VARCHAR(100))");
            client.execute("PARTITION TABLE account ON COLUMN id");
            client.execute("CREATE TABLE entry (number BIGINT GENERATED ALWAYS AS IDENTITY, id BIGINT NOT NULL,"
                    + " amount BIGINT NOT NULL)");
            client.execute("PARTITION TABLE entry ON COLUMN id");
            client.execute("CREATE INDEX entry_id ON entry (id)");
            for (int id = 0; id < ACCOUNTS; id++) {
                client.execute("INSERT INTO account VALUES (?, 100, ?)", id, "account " + id);
            }
        }
    }

    /** Adds one to accounts, each with an entry, until told to stop; returns how often. */
    private static long work(FulmarNode node, AtomicBoolean isOver, long seed) {
        Random random = new Random(seed);
        long done = 0;
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            while (!isOver.get()) {
                int id = random.nextInt(ACCOUNTS);
                assertThat(client.execute("UPDATE account SET balance = balance + 1 WHERE id = ?", id)
                                .longValue())
                        .isEqualTo(1);
                client.execute("INSERT INTO entry (id, amount) VALUES (?, 1)", id);
                done++;
            }
        }
        return done;
    }

    private static long first(FulmarClient client, String query) {
        return client.execute(query).table().first().getLong(0);
    }

    private static void assertWhole(FulmarNode node, long updates) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            assertThat(first(client, "SELECT COUNT(*) FROM account")).isEqualTo(ACCOUNTS);
            assertThat(first(client, "SELECT SUM(balance) FROM account")).isEqualTo(100L * ACCOUNTS + updates);
            assertThat(first(client, "SELECT COUNT(*) FROM entry")).isEqualTo(updates);
            assertThat(first(client, "SELECT COUNT(DISTINCT number) FROM entry"))
                    .isEqualTo(updates);
            ResultTable wrong = client.execute("SELECT a.id FROM account a WHERE balance <> 100 + (SELECT COUNT(*)"
                            + " FROM entry e WHERE e.id = a.id)")
                    .table();
            assertThat(wrong.next()).isFalse();
            for (int id = 0; id < ACCOUNTS; id += 97) {
                assertThat(first(client, "SELECT id FROM account WHERE id = " + id))
                        .isEqualTo(id);
            }
        }
        assertThat(node.database().figures().tableDefects().join()).isEmpty();
    }

    @Test
    void keysMoveWhileClientsWork() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, AWAY);
        Path back = folder.resolve("back.json");
        long updates;
        try (FulmarNode node = start()) {
            load(node);
            assertThat(run(node, "plan", "export", "--to", back.toString())).isZero();
            assertThat(run(node, "reconfigure", "status")).isZero();
            assertThat(out.toString()).contains("there has been no reconfiguration");
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicLong sum = new AtomicLong();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                long seed = i;
                clients.add(CompletableFuture.runAsync(() -> sum.addAndGet(work(node, isOver, seed))));
            }
            assertThat(run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(err + " " + out)
                    .isZero();
            assertThat(out.toString()).contains("DONE: 0 ranges left");
            isOver.set(true);
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
            updates = sum.get();
            assertThat(updates).isPositive();
            assertThat(run(node, "plan", "diff", plan.toString())).isZero();
            assertThat(out.toString()).contains("no range changes its partition");
            assertWhole(node, updates);
        }
        try (FulmarNode node = start()) {
            assertWhole(node, updates);
            assertThat(run(node, "plan", "diff", plan.toString())).isZero();
            assertThat(out.toString()).contains("no range changes its partition");
            assertThat(run(node, "reconfigure", back.toString(), "--watch"))
                    .as(err + " " + out)
                    .isZero();
            assertWhole(node, updates);
        }
        try (FulmarNode node = start()) {
            assertWhole(node, updates);
        }
    }

    /** It listens for two seconds, and then moves as others do. */
    @Test
    void aReconfigurationKeepsABudgetForCalls() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, AWAY);
        try (FulmarNode node = start()) {
            load(node);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> client = CompletableFuture.supplyAsync(() -> work(node, isOver, 1));
            assertThat(run(node, "reconfigure", plan.toString(), "--max-p99-increase", "50%", "--watch"))
                    .as(err + " " + out)
                    .isZero();
            assertThat(out.toString()).contains("RUNNING: ").contains("DONE: 0 ranges left");
            isOver.set(true);
            assertWhole(node, client.join());
        }
    }

    @Test
    void aReconfigurationIsPausedResumedAndCancelled() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, AWAY);
        try (FulmarNode node = start()) {
            load(node);
            assertThat(run(node, "reconfigure", "pause")).isEqualTo(1);
            assertThat(err.toString()).contains("there has been no reconfiguration");
            assertThat(run(node, "reconfigure", plan.toString(), "--chunk-kib", "513"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("chunks of 1 to 524288 bytes");
            assertThat(run(node, "reconfigure", plan.toString(), "--max-p99-increase", "5%"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("10 to 10000 %");
            assertThat(run(node, "reconfigure", plan.toString(), "--max-p99-increase", "few"))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("'few' is no whole number");
            assertThat(run(node, "reconfigure", plan.toString(), "--chunk-kib", "1", "--delay-ms", "20"))
                    .isZero();
            assertThat(run(node, "reconfigure", plan.toString())).isEqualTo(1);
            assertThat(err.toString()).contains("cancel it first");
            assertThat(run(node, "reconfigure", "pause")).isZero();
            assertThat(run(node, "reconfigure", "status")).isEqualTo(1);
            assertThat(out.toString()).startsWith("PAUSED").doesNotContain("->");
            assertThat(run(node, "reconfigure", "status", "--ranges")).isEqualTo(1);
            assertThat(out.toString()).startsWith("PAUSED").containsPattern("\\[.*\\) \\d -> \\d");
            assertThat(run(node, "reconfigure", "resume")).isZero();
            assertThat(run(node, "reconfigure", "cancel")).isZero();
            assertThat(out.toString()).startsWith("CANCELLED");
            assertWhole(node, 0);
            assertThat(run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(err + " " + out)
                    .isZero();
            assertWhole(node, 0);
        }
    }

    @Test
    void aPlanThatCannotFollowIsRefused() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, "{\"plan\": {\"*\": {\"Partition 7\": \"3\"}}}");
        try (FulmarNode node = start()) {
            assertThat(run(node, "reconfigure", plan.toString())).isEqualTo(1);
            assertThat(err.toString()).contains("7");
            assertThat(run(node, "reconfigure", folder.resolve("none.json").toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("cannot be read");
        }
    }
}
