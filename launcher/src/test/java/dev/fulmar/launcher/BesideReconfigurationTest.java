package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.Session;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.wiring.FulmarNode;
import dev.fulmar.wire.session.TransactionMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Work beside a reconfiguration, pair by pair: which waits for which is in docs/RECONFIGURATION.md. Keys move slowly
 * here, so that the other work begins long before they have moved.
 */
@Timeout(240)
class BesideReconfigurationTest {
    /** Some seconds for the accounts. */
    private static final String[] SLOWLY = {"--chunk-kib", "1", "--delay-ms", "10"};

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private MovingAccounts accounts = new MovingAccounts(folder);
    private Path plan = folder;

    @BeforeEach
    void prepare() throws IOException {
        accounts = new MovingAccounts(folder.resolve("data"));
        plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
    }

    /** Other work, which begins while keys move. How long it takes is the machine's affair. */
    private interface Work {
        void on(FulmarNode node) throws IOException;
    }

    private static String[] with(String... more) {
        String[] all = new String[more.length + SLOWLY.length];
        System.arraycopy(more, 0, all, 0, more.length);
        System.arraycopy(SLOWLY, 0, all, more.length, SLOWLY.length);
        return all;
    }

    /** Returns how many updates clients made meanwhile. */
    private long beside(FulmarNode node, Work work) throws IOException {
        MovingAccounts.load(node);
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Long> client = CompletableFuture.supplyAsync(() -> MovingAccounts.work(node, isOver, 1));
        assertThat(accounts.run(node, with("reconfigure", plan.toString()))).isZero();
        assertThat(accounts.out()).as("keys are yet to move").startsWith("RUNNING");
        work.on(node);
        assertThat(accounts.run(node, "reconfigure", "status", "--watch")).isZero();
        assertThat(accounts.out()).contains("DONE: 0 ranges left");
        isOver.set(true);
        long updates = client.join();
        MovingAccounts.assertWhole(node, updates);
        return updates;
    }

    private static FulmarClient connect(FulmarNode node) {
        return FulmarClient.connect("127.0.0.1:" + node.port());
    }

    @Test
    void tablesAndIndexesChange() throws IOException {
        try (FulmarNode node = accounts.start()) {
            beside(node, there -> {
                try (FulmarClient client = connect(there)) {
                    client.execute("CREATE INDEX account_balance ON account (balance)");
                    client.execute("ALTER TABLE account ADD COLUMN rank BIGINT DEFAULT 7 NOT NULL");
                    client.execute("CREATE TABLE later (id BIGINT NOT NULL PRIMARY KEY)");
                    client.execute("PARTITION TABLE later ON COLUMN id");
                    client.execute("INSERT INTO later VALUES (600)");
                    client.execute("DROP INDEX account_balance");
                }
            });
            try (FulmarClient client = connect(node)) {
                assertThat(first(client, "SELECT COUNT(*) FROM account WHERE rank = 7"))
                        .isEqualTo(3_000);
                assertThat(first(client, "SELECT id FROM later WHERE id = 600")).isEqualTo(600);
            }
        }
    }

    /** Rows of both keys are elsewhere afterwards, and none is lost or there twice. */
    @Test
    void aTableIsPlacedAnew() throws IOException {
        try (FulmarNode node = accounts.start()) {
            try (FulmarClient client = connect(node)) {
                client.execute("CREATE TABLE item (id BIGINT NOT NULL, k BIGINT NOT NULL, PRIMARY KEY (id, k))"
                        + " PARTITION ON COLUMN id");
                client.execute("CREATE TABLE mark (id BIGINT NOT NULL, k BIGINT NOT NULL) PARTITION ON COLUMN id");
                for (int id = 0; id < 3_000; id += 10) {
                    client.execute("INSERT INTO item VALUES (?, ?)", id, 3_000 - id);
                    client.execute("INSERT INTO mark VALUES (?, ?)", id, 3_000 - id);
                }
            }
            beside(node, there -> {
                try (FulmarClient client = connect(there)) {
                    client.execute("ALTER TABLE item PARTITION ON COLUMN k");
                    client.execute("ALTER TABLE mark PARTITION ON COLUMN k");
                }
            });
            try (FulmarClient client = connect(node)) {
                for (String table : List.of("item", "mark")) {
                    assertThat(first(client, "SELECT COUNT(*) FROM " + table)).isEqualTo(300);
                    assertThat(first(client, "SELECT COUNT(DISTINCT id) FROM " + table))
                            .isEqualTo(300);
                    assertThat(first(client, "SELECT SUM(id + k) FROM " + table))
                            .isEqualTo(900_000);
                    assertThat(first(client, "SELECT COUNT(*) FROM " + table + " WHERE k = 2700"))
                            .isEqualTo(1);
                }
                assertThat(node.database().figures().tableDefects().join()).isEmpty();
            }
        }
    }

    @Test
    void aCheckpointIsTaken() throws IOException {
        long updates;
        try (FulmarNode node = accounts.start()) {
            updates = beside(node, there -> {
                for (int i = 0; i < 3; i++) {
                    long before = checkpoints(there);
                    Objects.requireNonNull(there.database().durability()).requestCheckpoint();
                    while (checkpoints(there) == before) {
                        Thread.onSpinWait();
                    }
                }
            });
        }
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.assertWhole(node, updates);
        }
    }

    private static long checkpoints(FulmarNode node) {
        return Objects.requireNonNull(
                        Objects.requireNonNull(node.database().durability()).checkpoints())
                .counters()
                .rounds();
    }

    /** The backup has the accounts of a moment at which some have moved. */
    @Test
    void aBackupIsTakenAndRestored() throws IOException {
        Path backup = folder.resolve("backup");
        try (FulmarNode node = accounts.start()) {
            beside(
                    node,
                    there -> assertThat(accounts.run(there, "backup", "--to", backup.toString()))
                            .as(accounts.err())
                            .isZero());
        }
        MovingAccounts restored = new MovingAccounts(folder.resolve("restored"));
        int status = Main.commandLine()
                .execute(
                        "restore",
                        "--from",
                        backup.toString(),
                        "--data",
                        folder.resolve("restored").toString());
        assertThat(status).isZero();
        try (FulmarNode node = restored.start();
                FulmarClient client = connect(node)) {
            assertUpdatesHaveEntries(client);
            assertThat(restored.run(node, "reconfigure", "status", "--watch"))
                    .as("the move of the backup's moment goes on")
                    .isZero();
            assertThat(restored.out()).contains("DONE: 0 ranges left");
            assertUpdatesHaveEntries(client);
            assertThat(node.database().figures().tableDefects().join()).isEmpty();
        }
        Path wider = folder.resolve("wider");
        assertThat(Main.commandLine()
                        .execute(
                                "restore",
                                "--from",
                                backup.toString(),
                                "--data",
                                wider.toString(),
                                "--partitions",
                                "3",
                                "--partitioning",
                                "range:0,1000,2000"))
                .isZero();
        try (FulmarNode node = new MovingAccounts(wider).start("3", "range:0,1000,2000", "256m");
                FulmarClient client = connect(node)) {
            assertUpdatesHaveEntries(client);
        }
    }

    /** All accounts are there, and at most the last update lacks its entry. */
    private static void assertUpdatesHaveEntries(FulmarClient client) {
        assertThat(first(client, "SELECT COUNT(*) FROM account")).isEqualTo(3_000);
        assertThat(first(client, "SELECT SUM(balance) - 300000 FROM account")
                        - first(client, "SELECT COUNT(*) FROM entry"))
                .isBetween(0L, 1L);
        assertThat(first(client, "SELECT COUNT(*) FROM entry WHERE id NOT IN (SELECT id FROM account)"))
                .isZero();
    }

    private static long first(FulmarClient client, String query) {
        return client.execute(query).table().first().getLong(0);
    }

    @Test
    void anotherPlanIsRefused() throws IOException {
        Path other = folder.resolve("other.json");
        Files.writeString(other, "{\"plan\": {\"*\": {\"Partition 1\": \"7\"}}}");
        try (FulmarNode node = accounts.start()) {
            beside(node, there -> {
                assertThat(accounts.run(there, "reconfigure", other.toString())).isEqualTo(1);
                assertThat(accounts.err()).contains("a reconfiguration is under way");
            });
            assertThat(accounts.run(node, "reconfigure", other.toString(), "--watch"))
                    .isZero();
        }
    }

    /** Clients go on meanwhile; once there is room, a resume goes on too. */
    @Test
    void aFullDestinationPausesTheMove() throws IOException {
        try (FulmarNode node = accounts.start("2", "range:0,1500", "40m");
                FulmarClient client = connect(node)) {
            MovingAccounts.load(node);
            client.execute("CREATE TABLE bulk (id BIGINT NOT NULL PRIMARY KEY, content VARCHAR(20000) NOT NULL)");
            client.execute("PARTITION TABLE bulk ON COLUMN id");
            String content = "x".repeat(20_000);
            List<CompletableFuture<CallResult>> all = new ArrayList<>();
            for (int id = 500; id < 1_600; id++) {
                all.add(client.executeAsync("INSERT INTO bulk VALUES (?, ?)", id, content));
            }
            all.forEach(CompletableFuture::join);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> worker = CompletableFuture.supplyAsync(() -> MovingAccounts.work(node, isOver, 1));
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .isEqualTo(1);
            assertThat(accounts.out()).contains("PAUSED").contains("memory.limit");
            client.execute("DELETE FROM bulk");
            assertThat(accounts.run(node, "reconfigure", "resume")).isZero();
            assertThat(accounts.run(node, "reconfigure", "status", "--watch")).isZero();
            isOver.set(true);
            MovingAccounts.assertWhole(node, worker.join());
        }
    }

    /** It may run again at once; a cursor that it has open reads on to the end of its snapshot. */
    @Test
    void aReadOnlyTransactionEndsAtItsNextQuery() throws IOException {
        String sum = "SELECT SUM(balance) FROM account";
        try (FulmarNode node = accounts.start();
                FulmarClient client = connect(node)) {
            MovingAccounts.load(node);
            try (Session session = client.begin(TransactionMode.READ_ONLY)) {
                assertThat(session.execute(sum).table().first().getLong(0)).isEqualTo(300_000);
                session.execute("DECLARE c CURSOR FOR SELECT id FROM account");
                int read = session.execute("FETCH 10 FROM c").table().rowCount();
                assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                        .isZero();
                for (int rows = 1; rows > 0; read += rows) {
                    rows = session.execute("FETCH 500 FROM c").table().rowCount();
                }
                assertThat(read).isEqualTo(3_000);
                assertThatThrownBy(() -> session.execute(sum))
                        .satisfies(ended -> assertThat(
                                        ((FulmarException) ended).code().sqlState())
                                .isEqualTo("40001"));
            }
            try (Session session = client.begin(TransactionMode.READ_ONLY)) {
                assertThat(session.execute(sum).table().first().getLong(0)).isEqualTo(300_000);
                session.commit();
            }
        }
    }

    private boolean isRunning(FulmarNode node) {
        assertThat(accounts.run(node, "reconfigure", "status")).isZero();
        return accounts.out().startsWith("RUNNING");
    }

    /** Readers over all partitions come one after another until all keys have moved. */
    @Test
    void readersGoOn() throws IOException {
        try (FulmarNode node = accounts.start()) {
            beside(node, there -> {
                try (FulmarClient client = connect(there)) {
                    while (isRunning(there)) {
                        long sum = first(
                                client,
                                "SELECT SUM(balance) - 100 * COUNT(*) - (SELECT COUNT(*) FROM entry) FROM account");
                        assertThat(sum)
                                .as("updates whose entry is not there yet")
                                .isBetween(0L, 1L);
                    }
                }
            });
        }
    }
}
