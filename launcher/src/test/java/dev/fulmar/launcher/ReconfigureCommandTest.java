package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.ResultTable;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys move between the partitions of a node while clients work. */
@Timeout(240)
class ReconfigureCommandTest {
    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private MovingAccounts accounts = new MovingAccounts(folder);

    @BeforeEach
    void prepare() {
        accounts = new MovingAccounts(folder.resolve("data"));
    }

    @Test
    void keysMoveWhileClientsWork() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
        Path back = folder.resolve("back.json");
        long updates;
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            assertThat(accounts.run(node, "plan", "export", "--to", back.toString()))
                    .isZero();
            assertThat(accounts.run(node, "reconfigure", "status")).isZero();
            assertThat(accounts.out()).contains("there has been no reconfiguration");
            AtomicBoolean isOver = new AtomicBoolean();
            AtomicLong sum = new AtomicLong();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                long seed = i;
                clients.add(CompletableFuture.runAsync(() -> sum.addAndGet(MovingAccounts.work(node, isOver, seed))));
            }
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            assertThat(accounts.out()).contains("DONE: 0 ranges left");
            isOver.set(true);
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();
            updates = sum.get();
            assertThat(updates).isPositive();
            assertThat(accounts.run(node, "plan", "diff", plan.toString())).isZero();
            assertThat(accounts.out()).contains("no range changes its partition");
            MovingAccounts.assertWhole(node, updates);
        }
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.assertWhole(node, updates);
            assertThat(accounts.run(node, "plan", "diff", plan.toString())).isZero();
            assertThat(accounts.out()).contains("no range changes its partition");
            assertThat(accounts.run(node, "reconfigure", back.toString(), "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            MovingAccounts.assertWhole(node, updates);
        }
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.assertWhole(node, updates);
        }
    }

    /** A bucket is large if it has more rows than a chunk has bytes. */
    @Test
    void fewRowsMoveBeforeALargeBucket() throws IOException {
        Path plan = folder.resolve("plan.json");
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            Files.writeString(
                    plan,
                    "{\"plan\": {\"*\": {\"Partition 0\": \"[-0)\", \"Partition 1\": \"[1400-)\","
                            + " \"Partition 2\": \"[0-1400)\"}}}");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--chunk-kib", "1", "--watch"))
                    .as(accounts.err())
                    .isZero();
            assertThat(accounts.out())
                    .as("two buckets, and few rows several times")
                    .containsPattern("DONE: 0 ranges left, [4-6] buckets moved, 1500 rows");
            Files.writeString(
                    plan, "{\"plan\": {\"*\": {\"Partition 0\": \"[-1400)\", \"Partition 1\": \"[1400-)\"}}}");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(accounts.err())
                    .isZero();
            assertThat(accounts.out())
                    .as("those that came, each as a whole")
                    .containsPattern("DONE: 0 ranges left, [3-5] buckets moved, 1400 rows");
            MovingAccounts.assertWhole(node, 0);
        }
    }

    private static List<String> states(FulmarNode node) {
        List<String> states = new ArrayList<>();
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            ResultTable ranges = client.call("@Reconfigure", "RANGES").table();
            while (ranges.next()) {
                states.add(String.valueOf(ranges.getString(ranges.column("STATE"))));
            }
        }
        return states;
    }

    /** The node ends between two parts. Those that were handed over stay, and the others follow. */
    @Test
    void aLargeRangeMovesInPartsAndGoesOnAfterARestart() throws IOException {
        String plan = "{\"plan\": {\"*\": {\"Partition 0\": \"[-0)\", \"Partition 1\": \"[1400-)\","
                + " \"Partition 2\": \"[0-1400)\"}}}";
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
                client.call("@Reconfigure", "START", plan, "4096", "20000", "", "65536");
                ResultTable status =
                        client.call("@Reconfigure", "STATUS").table().first();
                while (status.getLong(status.column("BUCKETS_MOVED")) < 2) {
                    assertThat(status.getString(status.column("STATE"))).isEqualTo("RUNNING");
                    status = client.call("@Reconfigure", "STATUS").table().first();
                }
                assertThat(states(node)).contains("DONE").containsAnyOf("WAITING", "COPYING", "HANDING_OVER");
            }
        }
        try (FulmarNode node = accounts.start()) {
            assertThat(accounts.run(node, "reconfigure", "status", "--watch", "--ranges"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            assertThat(accounts.out()).contains("DONE: 0 ranges left").containsPattern("\\[.*\\) \\d -> 2 DONE");
            assertThat(states(node)).isNotEmpty().containsOnly("DONE");
            try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
                ResultTable status =
                        client.call("@Reconfigure", "STATUS").table().first();
                assertThat(status.getLong(status.column("BUCKETS_MOVED"))).isGreaterThan(1);
            }
            MovingAccounts.assertWhole(node, 0);
        }
    }

    @Test
    void aSingleKeyThatIsLargerThanAPartMoves() throws IOException {
        int entries = 2_000;
        try (FulmarNode node = accounts.start();
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            MovingAccounts.load(node);
            List<CompletableFuture<?>> all = new ArrayList<>();
            for (int i = 0; i < entries; i++) {
                all.add(client.executeAsync("INSERT INTO entry (id, amount) VALUES (7, 1)"));
            }
            all.forEach(CompletableFuture::join);
            client.execute("UPDATE account SET balance = balance + ? WHERE id = 7", entries);
            String plan = "{\"plan\": {\"*\": {\"Partition 0\": \"[-0)\", \"Partition 1\": \"[0-)\"}}}";
            client.call("@Reconfigure", "START", plan, "", "", "", "65536");
            assertThat(accounts.run(node, "reconfigure", "status", "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            assertThat(accounts.out()).contains("DONE: 0 ranges left");
            MovingAccounts.assertWhole(node, entries);
        }
    }

    /** It listens for two seconds, and then moves as others do. */
    @Test
    void aReconfigurationKeepsABudgetForCalls() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            AtomicBoolean isOver = new AtomicBoolean();
            CompletableFuture<Long> client = CompletableFuture.supplyAsync(() -> MovingAccounts.work(node, isOver, 1));
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--max-p99-increase", "50%", "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            assertThat(accounts.out()).contains("RUNNING: ").contains("DONE: 0 ranges left");
            isOver.set(true);
            MovingAccounts.assertWhole(node, client.join());
        }
    }

    private static ResultTable figures(FulmarClient client, String kind) {
        return client.call("@Statistics", kind).table().first();
    }

    private static double figure(ResultTable figures, String name) {
        return ((Number) Objects.requireNonNull(figures.getObject(figures.column(name)))).doubleValue();
    }

    /** Of the same MBeans that JMX has. */
    @Test
    void figuresShowAReconfigurationWhileItRunsAndAfterIt() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
        try (FulmarNode node = accounts.start();
                FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            MovingAccounts.load(node);
            ResultTable none = figures(client, "RECONFIGURATION");
            assertThat(none.getString(none.column("STATE"))).isEqualTo("NONE");
            ResultTable before = figures(client, "NODE");
            assertThat(figure(before, "PARTITIONS")).as("without the spare one").isEqualTo(2);
            assertThat(figure(before, "SPARE_PARTITIONS")).isEqualTo(1);
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--chunk-kib", "1", "--delay-ms", "20"))
                    .isZero();
            ResultTable moving = figures(client, "RECONFIGURATION");
            while (figure(moving, "BYTES_SENT") == 0 || figure(moving, "RANGES_MOVING") == 0) {
                assertThat(moving.getString(moving.column("STATE"))).isEqualTo("RUNNING");
                moving = figures(client, "RECONFIGURATION");
            }
            assertThat(figure(moving, "RANGES_LEFT")).isPositive();
            assertThat(figure(moving, "RANGES_WAITING")
                            + figure(moving, "RANGES_COPYING")
                            + figure(moving, "RANGES_HANDING_OVER"))
                    .isPositive();
            assertThat(figure(moving, "ROWS_LEFT")).isPositive();
            assertThat(moving.getString(moving.column("CURRENT"))).contains("from partition");
            assertThat(accounts.run(node, "reconfigure", "status", "--watch")).isZero();
            assertThat(figure(figures(client, "NODE"), "SPARE_PARTITIONS")).isZero();
            ResultTable done = figures(client, "RECONFIGURATION");
            assertThat(done.getString(done.column("STATE"))).isEqualTo("DONE");
            assertThat(figure(done, "RANGES_LEFT")).isZero();
            assertThat(figure(done, "RANGES_MOVED")).isPositive();
            for (String state : List.of("WAITING", "COPYING", "HANDING_OVER", "UNDONE")) {
                assertThat(figure(done, "RANGES_" + state)).as(state).isZero();
            }
            assertThat(figure(done, "BUCKETS_MOVED")).isPositive();
            assertThat(figure(done, "ROWS_MOVED")).isPositive();
            assertThat(figure(done, "ROWS_LEFT")).isZero();
            assertThat(figure(done, "BYTES_SENT")).isGreaterThanOrEqualTo(figure(moving, "BYTES_SENT"));
            assertThat(figure(done, "LAST_PAUSE_SECONDS"))
                    .isPositive()
                    .isLessThanOrEqualTo(figure(done, "WORST_PAUSE_SECONDS"));
        }
    }

    private static String numberOf(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            ResultTable status = client.call("@Reconfigure", "STATUS").table().first();
            return String.valueOf(status.getString(status.column("RECONFIGURATION")));
        }
    }

    @Test
    void theAuditLogSaysWhichOneBeganAndEnded() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
        String number;
        try (FulmarNode node = accounts.start()) {
            assertThat(accounts.run(node, "reconfigure", "pause")).isEqualTo(1);
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .isZero();
            assertThat(accounts.run(node, "reconfigure", "status", "--ranges")).isZero();
            number = numberOf(node);
        }
        assertThat(number).hasSize(16);
        assertThat(folder.resolve("data").resolve("audit.log"))
                .content()
                .contains("\"@Reconfigure START " + number + "\"", "\"@Reconfigure PAUSE\"")
                .doesNotContain("STATUS", "RANGES", "\"@Reconfigure\"");
    }

    @Test
    void aReconfigurationIsPausedResumedAndCancelled() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, MovingAccounts.AWAY);
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            assertThat(accounts.run(node, "reconfigure", "pause")).isEqualTo(1);
            assertThat(accounts.err()).contains("there has been no reconfiguration");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--chunk-kib", "513"))
                    .isEqualTo(1);
            assertThat(accounts.err()).contains("chunks of 1 to 524288 bytes");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--max-p99-increase", "5%"))
                    .isEqualTo(1);
            assertThat(accounts.err()).contains("10 to 10000 %");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--max-p99-increase", "0%"))
                    .isEqualTo(1);
            assertThat(accounts.err()).contains("at least 10 %");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--max-p99-increase", "few"))
                    .isEqualTo(1);
            assertThat(accounts.err()).contains("'few' is no whole number");
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--chunk-kib", "1", "--delay-ms", "20"))
                    .isZero();
            assertThat(accounts.run(node, "reconfigure", plan.toString())).isEqualTo(1);
            assertThat(accounts.err()).contains("cancel it first");
            assertThat(accounts.run(node, "reconfigure", "pause")).isZero();
            assertThat(accounts.run(node, "reconfigure", "status")).isEqualTo(1);
            assertThat(accounts.out()).startsWith("PAUSED").doesNotContain("->");
            assertThat(accounts.run(node, "reconfigure", "status", "--ranges")).isEqualTo(1);
            assertThat(accounts.out()).startsWith("PAUSED").containsPattern("\\[.*\\) \\d -> \\d (WAITING|UNDONE)");
            assertThat(accounts.run(node, "reconfigure", "resume")).isZero();
            assertThat(accounts.run(node, "reconfigure", "cancel")).isZero();
            assertThat(accounts.out()).startsWith("CANCELLED");
            MovingAccounts.assertWhole(node, 0);
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            MovingAccounts.assertWhole(node, 0);
        }
    }

    /** Each key is a range of its own, as many hand-offs of a thousand ranges bring it. */
    @Test
    void aPlanOfManyRangesIsReached() throws IOException {
        int ranges = 10_000;
        StringJoiner even = new StringJoiner("\", \"", "[\"[-1)\", \"", "\"]");
        StringJoiner odd = new StringJoiner("\", \"", "[\"[" + ranges + "-)\", \"", "\"]");
        for (int key = 1; key < ranges; key++) {
            (key % 2 == 0 ? even : odd).add(Integer.toString(key));
        }
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, "{\"plan\": {\"*\": {\"0\": " + even + ", \"1\": " + odd + "}}}");
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.load(node);
            assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                    .as(accounts.err() + " " + accounts.out())
                    .isZero();
            assertThat(accounts.out()).contains("DONE: 0 ranges left");
            MovingAccounts.assertWhole(node, 0);
        }
        try (FulmarNode node = accounts.start()) {
            MovingAccounts.assertWhole(node, 0);
        }
    }

    @Test
    void aPlanThatCannotFollowIsRefused() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, "{\"plan\": {\"*\": {\"Partition 7\": \"3\"}}}");
        try (FulmarNode node = accounts.start()) {
            assertThat(accounts.run(node, "reconfigure", plan.toString())).isEqualTo(1);
            assertThat(accounts.err()).contains("7");
            assertThat(accounts.run(
                            node, "reconfigure", folder.resolve("none.json").toString()))
                    .isEqualTo(1);
            assertThat(accounts.err()).contains("cannot be read");
        }
    }
}
