package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.door.PlanMover;
import dev.fulmar.coordinator.durability.environment.DurabilityMode;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.data.PartitioningHash;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.simulated.SimulatedProcess;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.recovery.LogReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subsystem replaces the partition plan, by {@link PlanMover}. It moves ranges that have no rows. */
class PartitionPlansTest {
    private static final NodeId NODE = new NodeId(0);
    private static final DatabaseConfiguration CONFIGURATION =
            DatabaseConfiguration.of(PartitionPlan.ranges(1, 100), 2);

    private final SimulatedWorld world = new SimulatedWorld(1);
    private SimulatedProcess process = world.startProcess(NODE);

    private static List<CatalogChange> changes() {
        List<CatalogChange> changes = new ArrayList<>(BankSql.CHANGES.subList(0, 4));
        changes.add(SteppedDatabase.procedure("Stamp", true));
        return changes;
    }

    private SteppedDatabase start(long checkpointLogBytes) {
        return new SteppedDatabase(
                CONFIGURATION, new BankSql(changes()), process.storage(), DurabilityMode.SYNC, checkpointLogBytes);
    }

    private SteppedDatabase bank() {
        SteppedDatabase db = start(1L << 40);
        for (int change = 0; change < changes().size(); change++) {
            assertThat(db.sql(BankSql.PREFIX + change)).isInstanceOf(Committed.class);
        }
        db.open(1000, 10, 150);
        return db;
    }

    private SteppedDatabase restart(long checkpointLogBytes) {
        process.crash();
        process = world.startProcess(NODE);
        return start(checkpointLogBytes);
    }

    /** Partition 1 has the keys from here on. */
    private static PartitionPlan from(long first) {
        PartitionPlan configured = CONFIGURATION.plan();
        return PartitionPlan.of(2, configured.hashes(), new KeyRanges(List.of(Long.MIN_VALUE, first), List.of(0, 1)));
    }

    private static void use(SteppedDatabase db, PartitionPlan next) {
        assertThat(db.await(new PlanMover(db.database.plans()).replace(next))).isEmpty();
    }

    /** Streams with the records of calls, in their order. */
    private List<Integer> callsByPartition() {
        List<Integer> streams = new ArrayList<>();
        LogReader.scan(process.storage(), "log").replay(stream -> stream >= 0, (record, segment, offset) -> {
            if (record.kind() == RecordKind.COMMAND) {
                streams.add(record.stream());
            }
        });
        return streams;
    }

    @Test
    void aKeyGoesToItsPartitionByThePlanThatCounts() {
        SteppedDatabase db = bank();
        db.open(7, 60);
        db.call("Stamp", 60L);
        assertThat(db.sql("DELETE FROM account WHERE id = ?", 60L)).isInstanceOf(Committed.class);
        use(db, from(50));
        assertThat(db.database.plans().newest().partitionOf(60)).isEqualTo(1);
        db.open(8, 60, 61);
        assertThat(db.balance(60)).isEqualTo(8);
        db.call("Stamp", 60L);
        db.call("Stamp", 10L);
        db.call("Stamp", 150L);
        assertThat(callsByPartition()).containsExactly(0, 1, 0, 1);
        assertThat(db.total()).isEqualTo(db.balance(10) + db.balance(60) + db.balance(61) + db.balance(150));
    }

    @Test
    void aCallThatWasRoutedByTheOldPlanRunsByTheNewOne() {
        SteppedDatabase db = bank();
        use(db, from(50));
        db.open(8, 60);
        db.call("Transfer", 60L, 60L, 0L);
        assertThat(db.sql("DELETE FROM account WHERE id = ?", 60L)).isInstanceOf(Committed.class);
        Runnable resume = db.pause("site-1");
        CompletableFuture<Optional<FulmarException>> ended = new PlanMover(db.database.plans()).replace(from(100));
        db.settle();
        CompletableFuture<TransactionResponse> insert = db.database.submit(new TransactionRequest.AdHoc(
                0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(60L, 9L)));
        db.settle();
        assertThat(ended).as("partition 1 stands still").isNotDone();
        resume.run();
        assertThat(db.await(ended)).isEmpty();
        assertThat(db.await(insert)).isInstanceOf(Committed.class);
        db.call("Stamp", 60L);
        assertThat(callsByPartition()).containsExactly(1, 0);
    }

    /** A call that the newest plan gives to another partition is replayed where it ran, whatever plan counts now. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 40, 2_000})
    void aReplayUsesThePlanOfThePosition(long checkpointLogBytes) {
        SteppedDatabase db = bank();
        use(db, from(50));
        db.open(8, 60);
        long first = SteppedDatabase.value(db.call("Stamp", 60L));
        db = restart(checkpointLogBytes);
        assertThat(db.balance(60)).isEqualTo(first);
        db.time.advance(5_000_000);
        long second = SteppedDatabase.value(db.call("Stamp", 60L));
        assertThat(second).isNotEqualTo(first);
        assertThat(db.sql("DELETE FROM account WHERE id = ?", 60L)).isInstanceOf(Committed.class);
        use(db, from(100));
        db.open(9, 60);
        long third = SteppedDatabase.value(db.call("Stamp", 60L));
        long version = db.database.plans().newest().version();
        db = restart(checkpointLogBytes);
        assertThat(db.failures).isEmpty();
        assertThat(db.balance(60)).isEqualTo(third);
        assertThat(db.database.plans().newest().version()).isEqualTo(version).isPositive();
        assertThat(db.database.plans().newest().partitionOf(60)).isZero();
    }

    /** Rows are dealt out by the plan of the moment, or by that of the new database if it has other partitions. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void aRestoredDatabaseHasThePlanOfTheMoment(int partitions) {
        SteppedDatabase db = bank();
        use(db, from(50));
        db.open(8, 60);
        CompletableFuture<Void> stopped = db.database.stop(1_000_000_000);
        assertThat(db.await(stopped)).isNull();
        DatabaseConfiguration configuration =
                partitions == 2 ? CONFIGURATION : DatabaseConfiguration.of(partitions, partitions);
        SimulatedProcess target = world.startProcess(new NodeId(5));
        SteppedDatabase.restore(
                CONFIGURATION,
                new BankSql(changes()),
                process.storage(),
                target.storage(),
                configuration.plan(),
                false,
                Long.MAX_VALUE);
        process = target;
        SteppedDatabase restored = new SteppedDatabase(
                configuration, new BankSql(changes()), process.storage(), DurabilityMode.SYNC, 1L << 40);
        PartitionPlan plan = restored.database.plans().newest();
        assertThat(plan.partitionCount()).isEqualTo(partitions);
        assertThat(plan.partitionOf(60))
                .isEqualTo(partitions == 2 ? 1 : configuration.plan().partitionOf(60));
        for (long account : new long[] {10, 60, 150}) {
            assertThat(restored.balance(account)).isEqualTo(account == 60 ? 8 : 1000);
        }
        restored.call("Stamp", 60L);
        assertThat(callsByPartition()).containsExactly(plan.partitionOf(60));
    }

    @Test
    void aPlanForAnotherNumberOfPartitionsIsRefused() {
        SteppedDatabase db = bank();
        FulmarException refused = db.await(new PlanMover(db.database.plans()).replace(PartitionPlan.hash(3)))
                .orElseThrow();
        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION);
        assertThat(refused).hasMessageContaining("the number of partitions never changes");
        assertThat(db.database.plans().newest().version()).isEqualTo(PartitionPlan.CONFIGURED);
    }

    /** One account on its own goes to the other partition; copies, new copies and later primaries know it. */
    @Test
    void copiesFollowThePlan() {
        ReplicatedBank bank = new ReplicatedBank(31, 3, 2, 2, DurabilityMode.SYNC).withClients();
        long account = 1_000_003;
        PartitionPlan configured = bank.configuration().plan();
        int other = 1 - configured.partitionOf(account);
        PartitionPlan next = PlanMover.withHash(configured, PartitioningHash.ofLong(account), other);
        assertThat(next.partitionOf(account)).isEqualTo(other);
        CompletableFuture<Optional<FulmarException>> ended =
                new PlanMover(bank.catalogPrimary().database.plans()).replace(next);
        assertThat(bank.world.runUntil(ended::isDone, 10_000_000_000L)).isTrue();
        assertThat(ended.join()).isEmpty();
        ClusterNode maker = bank.catalogPrimary();
        CompletableFuture<TransactionResponse> opened = bank.primary(new PartitionId(other))
                .database
                .submit(new TransactionRequest.AdHoc(
                        0, 0, 0, "INSERT INTO account VALUES (?, ?)", SteppedDatabase.list(account, 5L)));
        assertThat(bank.world.runUntil(opened::isDone, 10_000_000_000L)).isTrue();
        assertThat(opened.join()).isInstanceOf(Committed.class);
        NodeId lost = new NodeId(maker.process.node().number() % 3 + 1);
        bank.replace(lost);
        bank.world.runFor(3_000_000_000L);
        bank.heal();
        bank.nodes
                .values()
                .forEach(node -> assertThat(node.database.plans().newest().partitionOf(account))
                        .isEqualTo(other));
        bank.kill(maker.process.node());
        assertThat(bank.world.runUntil(bank::allServe, 10_000_000_000L)).isTrue();
        CompletableFuture<TransactionResponse> found = bank.primary(new PartitionId(other))
                .database
                .submit(new TransactionRequest.AdHoc(
                        0, 0, 0, "SELECT balance FROM account WHERE id = ?", SteppedDatabase.list(account)));
        assertThat(bank.world.runUntil(found::isDone, 10_000_000_000L)).isTrue();
        assertThat(found.join()).isInstanceOf(Committed.class);
        assertThat(SteppedDatabase.cell(found.join())).isEqualTo(5);
    }
}
