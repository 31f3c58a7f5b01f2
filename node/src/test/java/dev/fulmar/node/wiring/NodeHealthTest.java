package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What supervisors are told of a real node. */
@Timeout(120)
class NodeHealthTest {
    private final AtomicLong requestIds = new AtomicLong();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @AfterEach
    void theDeviceWorksAgain() {
        FailingBackendProvider.GATE.get().countDown();
        http.close();
    }

    private FulmarNode start(String durability) {
        Map<String, String> settings = new TreeMap<>(Map.of(
                "listen", "127.0.0.1:0",
                "memory.limit", "64m",
                "partitions", "3",
                "jmx", "false",
                "metrics.listen", "127.0.0.1:0",
                "durability", durability));
        if (durability.equals("sync")) {
            settings.put("data", directory.toString());
            settings.put("backend", FailingBackendProvider.NAME);
        }
        return FulmarNode.start(NodeConfiguration.of(settings));
    }

    private HttpResponse<String> ask(FulmarNode node, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + node.metricsPort().orElseThrow() + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    private CompletableFuture<TransactionResponse> sql(FulmarNode node, String sql) {
        byte[] none = new ParameterWriter(64, 64).toByteArray();
        return node.database().submit(new TransactionRequest.AdHoc(0, requestIds.incrementAndGet(), 0, sql, none));
    }

    private static long records(FulmarNode node) {
        return Objects.requireNonNull(node.database().durability()).counters().records();
    }

    @Test
    void aNodeThatServesIsReadyAndProbesWriteNothing() throws Exception {
        try (FulmarNode node = start("sync")) {
            assertThat(sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)")
                            .join())
                    .isInstanceOf(TransactionResponse.Committed.class);
            long before = records(node);
            for (int i = 0; i < 200; i++) {
                assertThat(ask(node, "/health/ready").statusCode()).isEqualTo(200);
                assertThat(ask(node, "/health/live").statusCode()).isEqualTo(200);
            }
            assertThat(ask(node, "/metrics").body()).contains("fulmar_node_serving_transactions{node=\"0\"} 1");
            assertThat(records(node)).isEqualTo(before);
        }
    }

    @Test
    void aNodeWhoseDeviceHangsIsNotReadyAndLives() throws Exception {
        try (FulmarNode node = start("sync")) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)").join();
            sql(node, "PARTITION TABLE t ON COLUMN id").join();
            assertThat(ask(node, "/health/ready").statusCode()).isEqualTo(200);
            FailingBackendProvider.GATE.set(new CountDownLatch(1));
            CompletableFuture<TransactionResponse> write = sql(node, "INSERT INTO t VALUES (1)");
            HttpResponse<String> answer = answered(node, 503);
            assertThat(answer.body()).matches("(?s).*partition P\\d has not answered for \\d+\\.\\d s.*");
            assertThat(ask(node, "/health/live").statusCode()).isEqualTo(200);
            assertThat(write).isNotDone();
            FailingBackendProvider.GATE.get().countDown();
            assertThat(write.join()).isInstanceOf(TransactionResponse.Committed.class);
            answered(node, 200);
        }
    }

    @Test
    void aPartitionThatIsBusyForLongIsNamed() throws Exception {
        try (FulmarNode node = start("none")) {
            CountDownLatch isOver = new CountDownLatch(1);
            PartitionTask longWork = partition -> {
                try {
                    isOver.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
            node.database()
                    .sites()
                    .getFirst()
                    .executors()
                    .getFirst()
                    .partition()
                    .inbox()
                    .put(longWork);
            assertThat(answered(node, 503).body()).contains("has not answered");
            assertThat(ask(node, "/health/live").statusCode()).isEqualTo(200);
            isOver.countDown();
            answered(node, 200);
        }
    }

    /** Asks until that is the answer: what was answered within the last second may be told once more. */
    private HttpResponse<String> answered(FulmarNode node, int status) throws Exception {
        HttpResponse<String> answer = ask(node, "/health/ready");
        while (answer.statusCode() != status) {
            answer = ask(node, "/health/ready");
        }
        return answer;
    }
}
