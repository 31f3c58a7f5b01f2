package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** A node with accounts whose keys are to move, and commands that are given to it. */
final class MovingAccounts {
    private static final int ACCOUNTS = 3_000;
    /** A plan by which two fifths of the accounts, and a single one, leave. */
    static final String AWAY =
            "{\"plan\": {\"*\": {\"Partition 0\": \"[-500)\", \"Partition 1\": [\"[500-1200)\", \"[1700-)\"],"
                    + " \"Partition 2\": [\"[1200-1700)\", \"2222\"]}}}";

    private final Path data;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** @param data the directory of the node's data */
    MovingAccounts(Path data) {
        this.data = data;
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    FulmarNode start() {
        return start("2", "range:0,1500", "256m");
    }

    /** With so many partitions, and a spare one. */
    FulmarNode start(String partitions, String partitioning, String memory) {
        return start(partitions, partitioning, memory, Map.of());
    }

    /** The same, with more settings. */
    FulmarNode start(String partitions, String partitioning, String memory, Map<String, String> more) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "listen",
                "127.0.0.1:0",
                "data",
                data.toString(),
                "durability",
                "sync",
                "partitions",
                partitions,
                "partitions.spare",
                "1",
                "partitioning",
                partitioning,
                "sites",
                "1",
                "memory.limit",
                memory));
        settings.putAll(more);
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    /** Gives the command to the node; returns its exit status. */
    int run(FulmarNode node, String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--host", "127.0.0.1:" + node.port()));
        return Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
    }

    static void load(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, note"
                    + " VARCHAR(100))");
            client.execute("PARTITION TABLE account ON COLUMN id");
            client.execute("CREATE TABLE entry (number BIGINT GENERATED ALWAYS AS IDENTITY, id BIGINT NOT NULL,"
                    + " amount BIGINT NOT NULL)");
            client.execute("PARTITION TABLE entry ON COLUMN id");
            client.execute("CREATE INDEX entry_id ON entry (id)");
            List<CompletableFuture<CallResult>> all = new ArrayList<>();
            for (int id = 0; id < ACCOUNTS; id++) {
                all.add(client.executeAsync("INSERT INTO account VALUES (?, 100, ?)", id, "account " + id));
            }
            all.forEach(CompletableFuture::join);
        }
    }

    /** Adds one to accounts, each with an entry, until told to stop; returns how often. */
    static long work(FulmarNode node, AtomicBoolean isOver, long seed) {
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

    /** Each account is there once, with as many entries as it was updated. */
    static void assertWhole(FulmarNode node, long updates) {
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
}
