package dev.fulmar.node.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.config.NodeConfiguration;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FulmarNodeTest {
    private final AtomicLong requestIds = new AtomicLong();

    @Test
    void aNodeRunsSqlAndProceduresAndShowsItsFigures() throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        ObjectName table = new ObjectName("fulmar:type=Table,node=311,table=\"ACCOUNT\"");
        try (FulmarNode node =
                FulmarNode.start(configuration(Map.of("node", "311", "partitions", "3", "sites", "2")))) {
            assertThat(node.port()).isPositive();
            sql(node, "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, owner VARCHAR(20))");
            sql(node, "PARTITION TABLE account ON COLUMN id");
            for (long id = 0; id < 10; id++) {
                TransactionResponse inserted = call(node, "ACCOUNT.insert", id, "owner " + id);
                assertThat(inserted).isInstanceOf(TransactionResponse.Committed.class);
            }
            TransactionResponse.Committed counted = sql(node, "SELECT COUNT(*) FROM account");
            ResultBlock block = new ResultBlock().wrap(counted.results(), 0, counted.results().length);
            assertThat(block.at(0).getLong(0)).isEqualTo(10);

            awaitAttribute(beans, table, "Rows", 10L);
            assertThat((long) beans.getAttribute(table, "MemoryBytes")).isPositive();
            assertThat(beans.getAttribute(table, "PartitioningColumn")).isEqualTo("ID");
            ObjectName whole = new ObjectName("fulmar:type=Node,node=311");
            assertThat(beans.getAttribute(whole, "Partitions")).isEqualTo(3);
            assertThat(beans.getAttribute(whole, "Sites")).isEqualTo(2);
            assertThat((long) beans.getAttribute(whole, "MemoryUsedBytes")).isPositive();
            awaitAttribute(
                    beans,
                    new ObjectName("fulmar:type=Procedure,node=311,procedure=\"ACCOUNT.INSERT\""),
                    "Committed",
                    10L);
        }
        assertThat(beans.queryNames(new ObjectName("fulmar:*,node=311"), null)).isEmpty();
    }

    @Test
    void theLimitsOfTheConfigurationReachTheDatabase() {
        Map<String, String> settings = Map.of(
                "partitions", "1", "sites", "1", "jmx", "false", "server.limits.result", "1k", "memory.limit", "32m");
        try (FulmarNode node = FulmarNode.start(configuration(settings))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR(4000))");
            for (long id = 0; id < 3; id++) {
                call(node, "T.insert", id, "x".repeat(500));
            }
            assertFailed(answer(node, "SELECT * FROM t"), ErrorCode.RESULT_TOO_LARGE);
            ErrorCode failure = null;
            for (long id = 3; id < 20_000 && failure == null; id++) {
                if (call(node, "T.insert", id, "y".repeat(4000)) instanceof TransactionResponse.Failed failed) {
                    failure = failed.code();
                    assertThat(failed.message()).contains("memory.limit");
                }
            }
            assertThat(failure).isEqualTo(ErrorCode.MEMORY_LIMIT);
            assertThat(call(node, "T.select", 1L)).isInstanceOf(TransactionResponse.Committed.class);
        }
    }

    @Test
    void fromTheMarkOnDeletesAndReadsGoOn() {
        Map<String, String> settings = Map.of(
                "partitions", "1", "sites", "1", "jmx", "false", "memory.limit", "64m", "memory.write-percent", "50");
        try (FulmarNode node = FulmarNode.start(configuration(settings))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, v VARCHAR(4000))");
            String refusal = "";
            long last = 0;
            while (refusal.isEmpty() && last < 20_000) {
                TransactionResponse response = call(node, "T.insert", last, "y".repeat(4000));
                if (response instanceof TransactionResponse.Failed failed) {
                    assertThat(failed.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                    refusal = failed.message();
                } else {
                    last++;
                }
            }
            assertThat(refusal).contains("deletes and reads go on").contains("memory.write-percent");
            assertThat(last * 4000).isBetween(16L << 20, 32L << 20);
            assertThat(answer(node, "UPDATE t SET v = v || 'z' WHERE id >= 0"))
                    .isInstanceOf(TransactionResponse.Failed.class);
            sql(node, "SELECT COUNT(*) FROM t");
            for (long id = 0; id < last; id++) {
                assertThat(call(node, "T.delete", id)).isInstanceOf(TransactionResponse.Committed.class);
            }
            assertThat(call(node, "T.insert", last, "y".repeat(4000)))
                    .as("there is room again")
                    .isInstanceOf(TransactionResponse.Committed.class);
        }
    }

    @Test
    void aRangePlanPlacesKeysByRange() {
        Map<String, String> settings = Map.of("partitioning", "range:1,11,21", "sites", "1", "jmx", "false");
        try (FulmarNode node = FulmarNode.start(configuration(settings))) {
            assertThat(node.configuration().partitions().count()).isEqualTo(3);
            assertThat(node.database().configuration().plan().partitionOf(15)).isEqualTo(1);
        }
    }

    @Test
    void aNodeThatWritesNoDataKeepsItsAuditLogInADirectoryThatIsNotThereYet(@TempDir Path parent) {
        Path data = parent.resolve("not-there-yet");
        Map<String, String> settings =
                Map.of("jmx", "false", "partitions", "1", "data", data.toString(), "durability", "none");
        try (FulmarNode node = FulmarNode.start(configuration(settings))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        }
        assertThat(data.resolve("audit.log")).isNotEmptyFile();
        Map<String, String> durable =
                Map.of("jmx", "false", "partitions", "1", "data", data.toString(), "durability", "sync");
        try (FulmarNode node = FulmarNode.start(configuration(durable))) {
            sql(node, "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        }
    }

    @Test
    void aNodeThatCannotListenLeavesNothingBehind() {
        try (FulmarNode first = FulmarNode.start(configuration(Map.of("jmx", "false")))) {
            Map<String, String> settings = Map.of("jmx", "false", "listen", "127.0.0.1:" + first.port());
            assertThatThrownBy(() -> FulmarNode.start(configuration(settings)))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("port that is free");
        }
    }

    @Test
    void closingTwiceIsHarmlessAndWaitersAreTold() throws Exception {
        FulmarNode node = FulmarNode.start(configuration(Map.of("jmx", "false")));
        Thread waiter = Thread.ofVirtual().start(node::awaitClosed);
        node.close();
        node.close();
        waiter.join(10_000);
        assertThat(waiter.isAlive()).isFalse();
    }

    private static NodeConfiguration configuration(Map<String, String> settings) {
        TreeMap<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("listen", "127.0.0.1:0");
        all.putIfAbsent("memory.limit", "64m");
        return NodeConfiguration.of(all);
    }

    private TransactionResponse.Committed sql(FulmarNode node, String sql) {
        TransactionResponse response = answer(node, sql);
        if (response instanceof TransactionResponse.Committed committed) {
            return committed;
        }
        throw new AssertionError(sql + ": " + response);
    }

    private TransactionResponse answer(FulmarNode node, String sql) {
        return node.database()
                .submit(new TransactionRequest.AdHoc(0, requestIds.incrementAndGet(), 0, sql, parameters()))
                .join();
    }

    private TransactionResponse call(FulmarNode node, String procedure, @Nullable Object... arguments) {
        return node.database()
                .submit(new TransactionRequest.Call(
                        0, requestIds.incrementAndGet(), 0, procedure, parameters(arguments)))
                .join();
    }

    private static byte[] parameters(@Nullable Object... arguments) {
        ParameterWriter writer = new ParameterWriter(64, 10_000);
        for (Object argument : arguments) {
            writer.addObject(argument);
        }
        return writer.toByteArray();
    }

    private static void assertFailed(TransactionResponse response, ErrorCode code) {
        assertThat(response)
                .isInstanceOfSatisfying(
                        TransactionResponse.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo(code));
    }

    private static void awaitAttribute(MBeanServer beans, ObjectName name, String attribute, Object wanted)
            throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        Object found = null;
        while (System.nanoTime() - deadline < 0) {
            try {
                found = beans.getAttribute(name, attribute);
            } catch (InstanceNotFoundException notYet) {
                found = notYet;
            }
            if (wanted.equals(found)) {
                return;
            }
            Thread.sleep(20);
        }
        assertThat(found).as("%s of %s", attribute, name).isEqualTo(wanted);
    }
}
