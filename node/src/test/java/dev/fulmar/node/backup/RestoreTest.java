package dev.fulmar.node.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.durability.Durability;
import dev.fulmar.coordinator.durability.backup.BackupFigures;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Backups of a real node's directory. */
@Timeout(180)
class RestoreTest {
    @TempDir
    private Path folder;

    private NodeConfiguration configuration(String data) {
        TreeMap<String, String> settings = new TreeMap<>(Map.of(
                "data",
                folder.resolve(data).toString(),
                "listen",
                "127.0.0.1:0",
                "jmx",
                "false",
                "memory.limit",
                "64m"));
        settings.put("partitions", "2");
        settings.put("sites", "1");
        return NodeConfiguration.of(settings);
    }

    private static TransactionResponse.Committed sql(FulmarNode node, String text) throws Exception {
        TransactionResponse response = node.database()
                .submit(new TransactionRequest.AdHoc(0, 0, 0, text, new ParameterWriter(64, 10_000).toByteArray()))
                .get(30, TimeUnit.SECONDS);
        assertThat(response).isInstanceOf(TransactionResponse.Committed.class);
        return (TransactionResponse.Committed) response;
    }

    private BackupFigures backup(FulmarNode node, String directory) {
        Durability durability = Objects.requireNonNull(node.database().durability());
        return BackupDirectory.begin(
                durability,
                folder.resolve(directory),
                folder.resolve("data"),
                node.configuration().layout());
    }

    private static void await(BackupFigures figures) throws InterruptedException {
        while (!figures.isOver()) {
            Thread.sleep(5);
        }
        assertThat(figures.failure()).isEmpty();
    }

    private Restore restore(String data, List<Path> logs, OptionalLong upTo) {
        return new Restore(request(data, logs, upTo), line -> {});
    }

    private Restore.Request request(String data, List<Path> logs, OptionalLong upTo) {
        return new Restore.Request(
                folder.resolve("backup"), folder.resolve(data), 0, "", logs, upTo, Map.of("memory.limit", "64m"));
    }

    private static void assertRefused(Restore restore, String message) {
        assertThatThrownBy(restore::run).isInstanceOf(FulmarException.class).hasMessageContaining(message);
    }

    @Test
    void whatIsRefusedLeavesNothingBehind() throws Exception {
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
            sql(node, "INSERT INTO t VALUES (7)");
            assertThatThrownBy(() -> backup(node, "data/log/backup"))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("is in the data directory");
            Files.createDirectories(folder.resolve("backup/log"));
            await(backup(node, "backup"));
            assertThatThrownBy(() -> backup(node, "backup"))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("no empty directory");
            Path data = folder.resolve("data");
            assertRefused(restore("new", List.of(data), OptionalLong.empty()), "runs, so that its log is changing");
            assertRefused(restore("new", List.of(data.resolve("log")), OptionalLong.empty()), "its log is changing");
        }
        assertRefused(restore("new", List.of(), OptionalLong.of(1)), "use an earlier backup");
        assertRefused(restore("new", List.of(), OptionalLong.of(Long.MAX_VALUE)), "give the log");
        assertRefused(restore("new", List.of(folder.resolve("nowhere")), OptionalLong.empty()), "there is no log in");
        assertThat(folder).isDirectoryNotContaining("glob:**/new*");
        restore("new", List.of(folder.resolve("data")), OptionalLong.empty()).run();
        try (FulmarNode node = FulmarNode.start(configuration("new"))) {
            TransactionResponse.Committed found = sql(node, "SELECT id FROM t");
            ResultBlock block = new ResultBlock().wrap(found.results(), 0, found.results().length);
            assertThat(block.at(0).getLong(0)).isEqualTo(7);
        }
    }

    @Test
    void oneThatFailsAmidItsWorkLeavesNothingBehind() throws Exception {
        try (FulmarNode node = FulmarNode.start(configuration("data"))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
            sql(node, "INSERT INTO t VALUES (7)");
            await(backup(node, "backup"));
        }
        AtomicInteger failures = new AtomicInteger();
        Restore failing = new Restore(request("new", List.of(), OptionalLong.empty()), line -> {
            if (Files.exists(folder.resolve("new.restoring"))) {
                failures.incrementAndGet();
                throw new IllegalStateException("planted");
            }
        });
        assertThatThrownBy(failing::run).hasStackTraceContaining("planted");
        assertThat(failures).hasPositiveValue();
        assertThat(folder).isDirectoryNotContaining("glob:**/new*");
        restore("new", List.of(), OptionalLong.empty()).run();
    }
}
