package dev.fulmar.it.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.client.CallHandler;
import dev.fulmar.client.CallResult;
import dev.fulmar.client.FulmarClient;
import dev.fulmar.client.PreparedCall;
import dev.fulmar.client.ResultTable;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import dev.fulmar.node.wiring.FulmarNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ClientAndNodeTest {
    private static final int COUNTERS = 16;

    private FulmarNode node;
    private FulmarClient client;

    @BeforeEach
    void start() {
        node = FulmarNode.start(NodeConfiguration.of(Map.of(
                "node", "901", "listen", "127.0.0.1:0", "partitions", "4", "sites", "2", "memory.limit", "128m")));
        client = FulmarClient.connect("127.0.0.1:" + node.port());
        client.execute("CREATE TABLE counter (id BIGINT NOT NULL PRIMARY KEY, hits BIGINT NOT NULL)");
        client.execute("PARTITION TABLE counter ON COLUMN id");
        client.execute("CREATE PROCEDURE Hit PARTITION ON TABLE counter COLUMN id PARAMETER 0"
                + " AS UPDATE counter SET hits = hits + 1 WHERE id = ?");
        for (long id = 0; id < COUNTERS; id++) {
            client.call("COUNTER.insert", id, 0L);
        }
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private static FulmarClient unlucky(BreakingProxy proxy) {
        return FulmarClient.builder()
                .hosts(proxy.address())
                .connectionsPerHost(3)
                .maxOutstanding(300)
                .connect();
    }

    @Test
    void everyCallTakesEffectExactlyOnceHoweverOftenConnectionsBreak() throws Exception {
        int calls = 40_000;
        Tally tally = new Tally();
        Random random = new Random(4);
        try (BreakingProxy proxy = new BreakingProxy(node.port());
                FulmarClient unlucky = unlucky(proxy)) {
            PreparedCall hit = unlucky.prepare("Hit");
            int broken = 0;
            for (int i = 0; i < calls; i++) {
                hit.start().with((long) random.nextInt(COUNTERS)).send(tally);
                if (i % 2_000 == 1_999) {
                    broken += proxy.breakAll();
                }
            }
            unlucky.drain();
            assertThat(broken).isGreaterThan(10);
            assertThat(unlucky.statistics().repeated()).isPositive();
        }
        assertThat(tally.failed).hasValue(0);
        assertThat(tally.completed).hasValue(calls);
        assertThat(sum()).isEqualTo(calls);
    }

    /** A procedure that is partitioned now and then takes its calls to one place, else to another one. */
    @Test
    void noCallTakesEffectTwiceThoughItsProcedureRunsElsewhere() throws Exception {
        Tally tally = new Tally();
        Random random = new Random(5);
        try (BreakingProxy proxy = new BreakingProxy(node.port());
                FulmarClient unlucky = unlucky(proxy)) {
            PreparedCall hit = unlucky.prepare("Hit");
            for (int i = 0; i < 20_000; i++) {
                hit.start().with((long) random.nextInt(COUNTERS)).send(tally);
                if (i % 1_000 == 999) {
                    proxy.breakAll();
                    client.execute("CREATE OR REPLACE PROCEDURE Hit"
                            + (i % 2_000 == 999 ? "" : " PARTITION ON TABLE counter COLUMN id PARAMETER 0")
                            + " AS UPDATE counter SET hits = hits + 1 WHERE id = ?");
                }
            }
            unlucky.drain();
            assertThat(unlucky.statistics().repeated()).isPositive();
        }
        assertThat(tally.completed.get() + tally.failed.get()).isEqualTo(20_000);
        assertThat(tally.unknown).hasValue(tally.failed.get());
        assertThat(tally.completed.get()).isPositive();
        assertThat(sum()).isBetween(tally.completed.get(), 20_000L);
    }

    @Test
    void errorsOfTheDatabaseReachTheCallerTyped() {
        assertCode(() -> client.execute("SELEC 1"), ErrorCode.SYNTAX);
        assertCode(() -> client.execute("SELECT * FROM nowhere"), ErrorCode.UNKNOWN_OBJECT);
        assertCode(() -> client.call("Nowhere"), ErrorCode.UNKNOWN_PROCEDURE);
        assertCode(() -> client.call("@Nowhere"), ErrorCode.UNKNOWN_PROCEDURE);
        assertCode(() -> client.call("COUNTER.insert", 1L, 0L), ErrorCode.UNIQUE_VIOLATION);
        assertCode(() -> client.call("COUNTER.insert", 99L, null), ErrorCode.NOT_NULL_VIOLATION);
        assertCode(() -> client.call("COUNTER.insert", "x", 1L), ErrorCode.TYPE_MISMATCH, ErrorCode.INVALID_TEXT);
        assertCode(() -> client.call("COUNTER.insert", 5L), ErrorCode.WRONG_PARAMETERS);
        assertCode(() -> client.call("@LoadClasses", (Object) new byte[] {1, 2, 3}), ErrorCode.PROCEDURE_REFUSED);
        assertThat(sum()).isZero();
    }

    @Test
    void aTableGoesAfterTheProceduresThatUseIt() {
        assertCode(() -> client.execute("DROP TABLE counter"), ErrorCode.DEPENDENT_OBJECTS);
        client.call("Hit", 1L);
        client.execute("DROP PROCEDURE Hit");
        client.execute("DROP TABLE counter");
        assertCode(() -> client.call("COUNTER.insert", 1L, 0L), ErrorCode.UNKNOWN_PROCEDURE);
    }

    @Test
    void systemProceduresShowTheNode() {
        assertThat(client.call("@Ping").hasValue()).isFalse();
        assertThat(client.call("@Catalog", "TABLES").table().first().getString(0))
                .isEqualTo("COUNTER");
        assertThat(client.call("@Statistics", "PARTITION").table().rowCount()).isEqualTo(4);
        assertThat(client.call("@Statistics", "SITE").table().rowCount()).isEqualTo(2);
        assertThat(client.call("@Explain", "SELECT hits FROM counter WHERE id = 3")
                        .tables())
                .isNotEmpty();
        assertThat(client.call("@AdHoc", "SELECT hits FROM counter WHERE id = ?", 3L)
                        .table()
                        .first()
                        .getLong(0))
                .isZero();
    }

    @Test
    void aStopFromAClientFinishesWhatWasAccepted() throws Exception {
        Tally tally = new Tally();
        // Calls after the stop find no node, and wait only this long for one, a thousand at a time.
        PreparedCall hit = client.prepare("Hit").withTimeout(Duration.ofSeconds(1));
        CompletableFuture<CallResult> stop = new CompletableFuture<>();
        for (int i = 0; i < 7_000; i++) {
            hit.start().with((long) i % COUNTERS).send(tally);
            if (i == 5_000) {
                stop = client.callAsync("@Shutdown");
            }
        }
        stop.join();
        node.awaitClosed();
        client.drain();
        assertThat(tally.completed.get() + tally.failed.get()).isEqualTo(7_000);
        assertThat(tally.unknown).as("an accepted call was not answered").hasValue(0);
        assertThat(tally.completed.get()).isGreaterThanOrEqualTo(5_000);
    }

    private long sum() {
        ResultTable table = client.execute("SELECT SUM(hits) FROM counter").table();
        BigDecimal sum = table.first().getDecimal(0);
        return sum == null ? 0 : sum.longValueExact();
    }

    private static void assertCode(Runnable call, ErrorCode... codes) {
        assertThatThrownBy(call::run)
                .isInstanceOfSatisfying(
                        FulmarException.class,
                        e -> assertThat(e.code()).as(e.getMessage()).isIn((Object[]) codes));
    }

    /** Counts outcomes. */
    private static final class Tally implements CallHandler {
        private final AtomicLong completed = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong unknown = new AtomicLong();

        @Override
        public void completed(CallResult result) {
            assertThat(result.longValue()).isEqualTo(1);
            completed.incrementAndGet();
        }

        @Override
        public void failed(FulmarException error) {
            failed.incrementAndGet();
            if (error.code() == ErrorCode.OUTCOME_UNKNOWN || error.code() == ErrorCode.TIMEOUT) {
                unknown.incrementAndGet();
            }
        }
    }
}
