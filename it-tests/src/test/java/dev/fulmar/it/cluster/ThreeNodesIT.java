package dev.fulmar.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes in processes of their own and a ZooKeeper, one of them killed under calls of one partition and of
 * several: no call fails, and each takes effect once.
 */
class ThreeNodesIT {
    private static final int PARTITIONS = 6;
    private static final int ACCOUNTS = 24;
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
            CREATE TABLE OWNER (ID BIGINT NOT NULL PRIMARY KEY, NAME VARCHAR(10));
            PARTITION TABLE OWNER ON COLUMN ID;
            """;

    private static final String WEALTH =
            "SELECT O.NAME AS NAME, COUNT(*) AS N, SUM(A.BALANCE) AS TOTAL, MAX(A.BALANCE) AS MOST"
                    + " FROM ACCOUNT A JOIN OWNER O ON O.ID = A.ID GROUP BY O.NAME";

    @TempDir
    private Path folder;

    private StartedCluster cluster;

    @BeforeEach
    void start() throws IOException {
        Path schema = Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        cluster = StartedCluster.start(folder, 3, PARTITIONS, List.of(schema), "128m");
    }

    @AfterEach
    void stop() {
        cluster.close();
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

    @Test
    void callsGoOnWhenANodeIsKilledAndEachTakesEffectOnce() throws Exception {
        try (FulmarClient client = cluster.connect(16)) {
            for (int account = 0; account < ACCOUNTS; account++) {
                client.call("OPEN_ACCOUNT", (long) account);
            }
            List<Payer> payers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                payers.add(new Payer(client, 6 * i).begin());
            }
            nameOwners(client, 3);
            client.execute("CREATE MATERIALIZED VIEW WEALTH AS " + WEALTH);
            pause(2_000);
            long before = total(payers);
            long movedBefore = moved(payers);
            int victim = cluster.recordOf(0).primary().node().number();
            cluster.kill(victim);
            cluster.awaitWithout(victim);
            nameOwners(client, 5);
            pause(2_000);
            for (Payer payer : payers) {
                payer.end();
                assertThat(payer.failures).isEmpty();
            }
            assertThat(before).isPositive();
            assertThat(movedBefore).isPositive();
            assertThat(total(payers)).isGreaterThan(before);
            assertThat(moved(payers)).isGreaterThan(movedBefore);
            cluster.startNode(victim);
            cluster.awaitInSync();
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
            assertThat(rows(client, "SELECT * FROM WEALTH")).hasSize(5).isEqualTo(rows(client, WEALTH));
            nameOwners(client, 4);
            assertThat(rows(client, "SELECT * FROM WEALTH")).hasSize(4).isEqualTo(rows(client, WEALTH));
        }
    }

    /** Gives each account one of so many owners. */
    private static void nameOwners(FulmarClient client, int names) {
        for (int account = 0; account < ACCOUNTS; account++) {
            client.execute("UPSERT INTO OWNER VALUES (" + account + ", 'N" + account % names + "')");
        }
    }

    private static List<String> rows(FulmarClient client, String query) {
        ResultTable table = client.execute(query).table();
        List<String> rows = new ArrayList<>();
        while (table.next()) {
            rows.add(table.getString(0) + " " + table.getLong(1) + " " + table.getObject(2) + " " + table.getLong(3));
        }
        rows.sort(null);
        return rows;
    }

    private static long moved(List<Payer> payers) {
        return payers.stream().mapToLong(payer -> payer.moved.get()).sum();
    }

    private static long total(List<Payer> payers) {
        return payers.stream().mapToLong(Payer::total).sum();
    }
}
