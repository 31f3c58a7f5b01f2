package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.engine.partition.PartitionInbox;
import dev.fulmar.engine.partition.PartitionTask;
import dev.fulmar.engine.partition.Site;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.node.config.NodeConfiguration;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Health of a real node. */
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
        if (!durability.equals("none")) {
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

    /** No answer waits for the device then, and no partition would tell. */
    @Test
    void withDurabilityAsyncTheLogTellsThatItsDeviceHangs() throws Exception {
        try (FulmarNode node = start("async")) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)").join();
            // One partition commits alone; several would write their votes, and wait, in every mode.
            sql(node, "PARTITION TABLE t ON COLUMN id").join();
            answered(node, 200);
            FailingBackendProvider.GATE.set(new CountDownLatch(1));
            assertThat(sql(node, "INSERT INTO t VALUES (1)").join()).isInstanceOf(TransactionResponse.Committed.class);
            assertThat(answered(node, 503).body()).contains("the log has been in one write for");
            assertThat(ask(node, "/health/live").statusCode()).isEqualTo(200);
            FailingBackendProvider.GATE.get().countDown();
            answered(node, 200);
        }
    }

    /** Administration waits for files and other nodes; checkpoints and the log are watched between their steps. */
    @Test
    void theThreadsThatAreWatchedAreThoseThatWaitForNothingOutside() {
        try (FulmarNode node = start("sync")) {
            List<String> names = node.health().liveness().names();
            assertThat(names)
                    .contains("site-0", "event loop 0", "timers")
                    .anyMatch(name -> name.startsWith("log "))
                    .anyMatch(name -> name.contains("checkpoint"))
                    .noneMatch(name -> name.contains("administration"));
        }
    }

    @Test
    void aThousandCallersAtOnceCostOneEmptyTransactionASecond() throws Exception {
        try (FulmarNode node = start("sync")) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)").join();
            answered(node, 200);
            long written = records(node);
            long steps = steps(node);
            long begunNanos = System.nanoTime();
            List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                URI uri = URI.create("http://127.0.0.1:" + node.metricsPort().orElseThrow() + "/health/ready");
                answers.add(http.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()));
                if (answers.size() % 20 == 0) {
                    answers.get(i).join();
                }
            }
            assertThat(answers).allMatch(answer -> answer.join().statusCode() == 200);
            long seconds = (System.nanoTime() - begunNanos) / 1_000_000_000 + 2;
            assertThat(records(node)).isEqualTo(written);
            // The figures ask the partition for its tables as often.
            assertThat(steps(node) - steps).isLessThanOrEqualTo(2 * seconds);
        }
    }

    private static long steps(FulmarNode node) {
        return node.database().figures().partition(0).steps.get();
    }

    /** Long work comes in a queue: each is within its time, and all of them are in one turn of their thread. */
    @Test
    void aSiteComesRoundWithEachMessage() throws Exception {
        try (FulmarNode node = start("none")) {
            Site site = node.database().sites().getFirst();
            CountDownLatch begins = new CountDownLatch(1);
            List<Long> beats = new CopyOnWriteArrayList<>();
            PartitionTask first = partition -> {
                try {
                    begins.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
            CountDownLatch isOver = new CountDownLatch(3);
            PartitionInbox inbox = site.executors().getFirst().partition().inbox();
            inbox.put(first);
            for (int i = 0; i < 3; i++) {
                inbox.put((PartitionTask) partition -> {
                    beats.add(NodeHealth.beats(site));
                    isOver.countDown();
                });
            }
            begins.countDown();
            isOver.await();
            assertThat(beats).doesNotHaveDuplicates();
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
