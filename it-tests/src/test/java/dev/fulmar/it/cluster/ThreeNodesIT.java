package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.experiment.ServerProcess;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.coordinator.membership.ClusterRecord;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.membership.StateKey;
import dev.fulmar.coordinator.membership.real.EmbeddedZooKeeper;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.ClusterStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes in processes of their own and a ZooKeeper, one of them killed under calls of one partition and of several: no call fails, and each takes
 * effect once.
 */
class ThreeNodesIT {
    private static final int PARTITIONS = 6;
    private static final int ACCOUNTS = 24;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SCHEMA = """
            CREATE TABLE ACCOUNT (ID BIGINT NOT NULL PRIMARY KEY, BALANCE BIGINT NOT NULL);
            PARTITION TABLE ACCOUNT ON COLUMN ID;
            CREATE PROCEDURE OPEN_ACCOUNT PARTITION ON TABLE ACCOUNT COLUMN ID AS
                INSERT INTO ACCOUNT (ID, BALANCE) VALUES (?, 0);
            CREATE PROCEDURE PAY_IN PARTITION ON TABLE ACCOUNT COLUMN ID AS
                UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE ID = ?;
            CREATE PROCEDURE MOVE_ONE AS BEGIN UPDATE ACCOUNT SET BALANCE = BALANCE - 1 WHERE ID = ?; \
                UPDATE ACCOUNT SET BALANCE = BALANCE + 1 WHERE ID = ?; END;
            CREATE PROCEDURE BALANCE_OF PARTITION ON TABLE ACCOUNT COLUMN ID AS SELECT BALANCE FROM ACCOUNT WHERE ID = ?;
            """;

    @TempDir
    private Path folder;

    private final Map<Integer, ServerProcess> nodes = new TreeMap<>();
    private EmbeddedZooKeeper zookeeper;
    private ClusterStore store;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        zookeeper = EmbeddedZooKeeper.start(folder.resolve("zookeeper"), 0);
        store = ClusterStore.open(
                NodeConfiguration.of(Map.of("cluster", "three", "zookeeper", zookeeper.servers()))
                        .cluster(),
                "");
        store.found(
                new ClusterRecord(UUID.randomUUID(), "three", PARTITIONS, 2, 1),
                List.of(new NodeId(1), new NodeId(2), new NodeId(3)));
        for (int node = 1; node <= 3; node++) {
            startNode(node);
        }
        awaitEvery(record -> record.inSync().size() == 2);
    }

    @AfterEach
    void stop() {
        nodes.values().forEach(ServerProcess::close);
        store.close();
        zookeeper.close();
    }

    private void startNode(int node) throws IOException {
        nodes.put(
                node,
                ServerProcess.start(
                        folder.resolve("node" + node),
                        "--cluster",
                        "three",
                        "--node",
                        Integer.toString(node),
                        "--zookeeper",
                        zookeeper.servers(),
                        "--listen-nodes",
                        "127.0.0.1:0",
                        "--sites",
                        "1",
                        "--memory",
                        "128m",
                        "--set",
                        "schema=" + folder.resolve("schema.sql")));
    }

    private PartitionRecord recordOf(int partition) {
        return store.read(new StateKey.Partition(new PartitionId(partition))).get();
    }

    private void awaitEvery(Predicate<PartitionRecord> condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            StateKey.Partition key = new StateKey.Partition(new PartitionId(partition));
            while (true) {
                PartitionRecord record = store.read(key).record();
                if (record != null && condition.test(record)) {
                    break;
                }
                assertThat(System.nanoTime() - deadline)
                        .as(key + " is " + record)
                        .isNegative();
                pause(50);
            }
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Pays into accounts, and moves money between them, until told to stop, one call after another. */
    private static final class Payer implements Runnable {
        private final FulmarClient client;
        private final int first;
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicLong[] paid = new AtomicLong[ACCOUNTS];
        private final AtomicLong moved = new AtomicLong();
        private final List<String> failures = new ArrayList<>();
        private Thread thread = Thread.currentThread();

        Payer(FulmarClient client, int first) {
            this.client = client;
            this.first = first;
            for (int i = 0; i < ACCOUNTS; i++) {
                paid[i] = new AtomicLong();
            }
        }

        Payer begin() {
            thread = Thread.ofPlatform().start(this);
            return this;
        }

        @Override
        public void run() {
            for (int i = first; !stopped.get(); i++) {
                int account = i % ACCOUNTS;
                int other = (account + 1 + i / ACCOUNTS % (ACCOUNTS - 1)) % ACCOUNTS;
                try {
                    if (i % 3 == 0) {
                        client.call("MOVE_ONE", (long) account, (long) other);
                        paid[account].decrementAndGet();
                        paid[other].incrementAndGet();
                        moved.incrementAndGet();
                    } else {
                        client.call("PAY_IN", (long) account);
                        paid[account].incrementAndGet();
                    }
                } catch (RuntimeException e) {
                    failures.add(e.toString());
                }
            }
        }

        void end() throws InterruptedException {
            stopped.set(true);
            thread.join();
        }

        long total() {
            long sum = 0;
            for (AtomicLong count : paid) {
                sum += count.get();
            }
            return sum;
        }
    }

    private FulmarClient connect() {
        return FulmarClient.builder()
                .hosts(nodes.values().stream()
                        .map(node -> "127.0.0.1:" + node.port())
                        .toList())
                .maxOutstanding(16)
                .connect();
    }

    @Test
    void callsGoOnWhenANodeIsKilledAndEachTakesEffectOnce() throws Exception {
        try (FulmarClient client = connect()) {
            for (int account = 0; account < ACCOUNTS; account++) {
                client.call("OPEN_ACCOUNT", (long) account);
            }
            List<Payer> payers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                payers.add(new Payer(client, 6 * i).begin());
            }
            pause(2_000);
            long before = total(payers);
            long movedBefore = moved(payers);
            int victim = recordOf(0).primary().node().number();
            Objects.requireNonNull(nodes.remove(victim)).kill();
            awaitEvery(record -> record.primary().node().number() != victim
                    && record.inSync().stream().noneMatch(copy -> copy.node().number() == victim));
            pause(2_000);
            for (Payer payer : payers) {
                payer.end();
                assertThat(payer.failures).isEmpty();
            }
            assertThat(before).isPositive();
            assertThat(movedBefore).isPositive();
            assertThat(total(payers)).isGreaterThan(before);
            assertThat(moved(payers)).isGreaterThan(movedBefore);
            startNode(victim);
            awaitEvery(record -> record.inSync().size() == 2);
            for (int account = 0; account < ACCOUNTS; account++) {
                long paid = 0;
                for (Payer payer : payers) {
                    paid += payer.paid[account].get();
                }
                assertThat(client.call("BALANCE_OF", (long) account)
                                .table()
                                .first()
                                .getLong(0))
                        .as("account " + account)
                        .isEqualTo(paid);
            }
            assertThat(client.execute("SELECT SUM(BALANCE) FROM ACCOUNT")
                            .table()
                            .first()
                            .getLong(0))
                    .as("sum of all")
                    .isEqualTo(total(payers));
        }
    }

    private static long moved(List<Payer> payers) {
        return payers.stream().mapToLong(payer -> payer.moved.get()).sum();
    }

    private static long total(List<Payer> payers) {
        return payers.stream().mapToLong(Payer::total).sum();
    }
}
