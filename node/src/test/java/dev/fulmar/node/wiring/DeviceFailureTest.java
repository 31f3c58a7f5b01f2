package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.ExitStatus;
import dev.fulmar.node.config.NodeConfiguration;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class DeviceFailureTest {
    private final AtomicLong requestIds = new AtomicLong();

    @TempDir
    Path directory;

    @AfterEach
    void theDeviceWorksAgain() {
        FailingBackendProvider.FAILS.set(false);
    }

    private FulmarNode start() {
        return FulmarNode.start(NodeConfiguration.of(Map.of(
                "listen",
                "127.0.0.1:0",
                "memory.limit",
                "64m",
                "jmx",
                "false",
                "durability",
                "sync",
                "data",
                directory.toString(),
                "backend",
                FailingBackendProvider.NAME)));
    }

    private TransactionResponse sql(FulmarNode node, String sql) {
        byte[] none = new ParameterWriter(64, 64).toByteArray();
        return node.database()
                .submit(new TransactionRequest.AdHoc(0, requestIds.incrementAndGet(), 0, sql, none))
                .join();
    }

    @Test
    void afterAFailedForceTheNodeEndsAndTriesNothingAgain() {
        FulmarNode node = start();
        assertThat(sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)")).isInstanceOf(Committed.class);
        assertThat(sql(node, "INSERT INTO t VALUES (1)")).isInstanceOf(Committed.class);
        FailingBackendProvider.ATTEMPTS.clear();
        FailingBackendProvider.FAILS.set(true);

        TransactionResponse lost = sql(node, "INSERT INTO t VALUES (2)");
        node.awaitClosed();

        assertThat(lost).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(failed.message()).contains("outcome is unknown");
        });
        FulmarException failure = Objects.requireNonNull(node.failure(), "the launcher tells it by the exit status");
        assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_FAILURE);
        assertThat(failure).hasMessageMatching("(?s).*log/segment-\\d+ at offset \\d+ failed: Input/output error.*");
        assertThat(node.exitStatus()).isEqualTo(ExitStatus.DEVICE_FAILED);
        assertThat(FailingBackendProvider.ATTEMPTS).hasSize(1);

        FailingBackendProvider.FAILS.set(false);
        try (FulmarNode again = start()) {
            Committed rows = (Committed) sql(again, "SELECT COUNT(*) FROM t WHERE id = 1");
            ResultBlock block = new ResultBlock().wrap(rows.results(), 0, rows.results().length);
            assertThat(block.at(0).getLong(0)).isEqualTo(1);
        }
    }
}
