package dev.fulmar.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.node.wiring.FulmarNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory and disk that rows had at the partition that they left are given back soon, without a command or a call. */
@Timeout(240)
class SpaceAfterMovesTest {
    private static final int ROWS = 1_400;

    /** All rows go back and forth so often: their records are six segments. */
    private static final int ROUNDS = 5;

    private static final long ROW_BYTES = 20_000L * ROWS;

    /** Of the files of checkpoints, with their holes: they do not grow with each round. */
    private static final long MOST_MASTER_BYTES = 5 * ROW_BYTES;

    private static final long MOST_LOG_BYTES = 4 * (64L << 20) + (1 << 20);
    private static final String AWAY = "{\"plan\": {\"*\": {\"Partition 0\": [\"[-0)\", \"[1400-1500)\"],"
            + " \"Partition 1\": \"[1500-)\", \"Partition 2\": \"[0-1400)\"}}}";
    private static final String BACK =
            "{\"plan\": {\"*\": {\"Partition 0\": \"[-1500)\", \"Partition 1\": \"[1500-)\"}}}";
    private static final String CONTENT = "x".repeat(20_000);

    @TempDir
    private Path folder = Path.of("replaced by JUnit");

    private static void load(FulmarNode node) {
        try (FulmarClient client = FulmarClient.connect("127.0.0.1:" + node.port())) {
            client.execute("CREATE TABLE bulk (id BIGINT NOT NULL PRIMARY KEY, content VARCHAR(20000) NOT NULL)");
            client.execute("PARTITION TABLE bulk ON COLUMN id");
            List<CompletableFuture<CallResult>> all = new ArrayList<>();
            for (int id = 0; id < ROWS; id++) {
                all.add(client.executeAsync("INSERT INTO bulk VALUES (?, ?)", id, CONTENT));
            }
            all.forEach(CompletableFuture::join);
        }
    }

    private static long shown(String bean, String attribute) throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = server.queryNames(new ObjectName("fulmar:type=" + bean + ",*"), null)
                .iterator()
                .next();
        return (Long) server.getAttribute(name, attribute);
    }

    private static long memoryBytes() throws JMException {
        return shown("Node", "MemoryUsedBytes");
    }

    /** Bytes on the disk that a move of all rows has left behind. */
    private static long leftBehind() throws JMException {
        return ROW_BYTES - shown("Checkpoint", "GivenBackBytes");
    }

    /** Bytes on the disk that a restart reads. Rows that came and went between two checkpoints never get there. */
    private static long storedBytes() throws JMException {
        return shown("Checkpoint", "StoredBytes");
    }

    private long logBytes() throws IOException {
        return bytesOf("log", "");
    }

    /** Bytes of the files of checkpoints that rows lie in. */
    private long masterBytes() throws IOException {
        return bytesOf("log-checkpoints", "master");
    }

    /** Bytes of files, which come and go meanwhile, whose names begin so. */
    private long bytesOf(String directory, String beginning) throws IOException {
        long bytes = 0;
        try (Stream<Path> all = Files.list(folder.resolve("data").resolve(directory))) {
            for (Path file : all.toList()) {
                bytes += file.getFileName().toString().startsWith(beginning) ? sizeOf(file) : 0;
            }
        }
        return bytes;
    }

    private static long sizeOf(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    private void move(MovingAccounts accounts, FulmarNode node, String document) throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(plan, document);
        assertThat(accounts.run(node, "reconfigure", plan.toString(), "--watch"))
                .as(accounts.err())
                .isZero();
    }

    private interface Figure {
        long bytes() throws Exception;
    }

    private static void assertWithinAMinute(String what, Figure figure, long most) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (figure.bytes() > most && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(figure.bytes()).as(what).isLessThanOrEqualTo(most);
    }

    /** All rows are on the same node before and after: those of the source would be there a second time. */
    @Test
    void itComesBackWithinAMinute() throws Exception {
        MovingAccounts accounts = new MovingAccounts(folder.resolve("data"));
        try (FulmarNode node = accounts.start("2", "range:0,1500", "256m", Map.of("checkpoint.log-size", "1m"))) {
            load(node);
            long memory = memoryBytes();
            assertThat(memory).isGreaterThan((long) ROWS * CONTENT.length());
            move(accounts, node, AWAY);
            assertWithinAMinute("memory", SpaceAfterMovesTest::memoryBytes, memory + memory / 10);
            assertWithinAMinute("disk", SpaceAfterMovesTest::leftBehind, ROW_BYTES / 10);
            for (int round = 0; round < ROUNDS; round++) {
                move(accounts, node, BACK);
                move(accounts, node, AWAY);
            }
            assertWithinAMinute("memory after rounds", SpaceAfterMovesTest::memoryBytes, memory + memory / 10);
            assertWithinAMinute("log after rounds", this::logBytes, MOST_LOG_BYTES);
            assertWithinAMinute("disk after rounds", SpaceAfterMovesTest::storedBytes, 2 * ROW_BYTES);
            assertThat(masterBytes()).isLessThan(MOST_MASTER_BYTES);
        }
    }
}
