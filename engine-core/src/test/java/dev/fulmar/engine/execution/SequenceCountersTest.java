package dev.fulmar.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Counters;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where a partition draws the numbers of a sequence. */
class SequenceCountersTest {
    private static final int PARTITION = 0;
    private static final PartitionPlan HALVES = PartitionPlan.hash(2);

    /** The partition has everything, so also the first place. */
    private static final PartitionPlan ALL = PartitionPlan.of(
                    2, new KeyRanges(List.of(Long.MIN_VALUE), List.of(PARTITION)), KeyRanges.NONE)
            .countingFrom(7);

    private final Table sequence =
            new SequenceRule(0, 1, false).table(1, "S").withPartitioningColumn(SequenceRule.PLACE);
    private final PartitionStorage storage = new PartitionStorage(
            new ChunkSource(new MemoryBudget(1 << 26, "memory")), HALVES.bucketsOf(PARTITION, 1), 1 << 20);

    SequenceCountersTest() {
        storage.createTable(sequence);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private ExecutionContext context(PartitionPlan plan) {
        return new ExecutionContext(storage, plan, PARTITION, 1 << 20, () -> {});
    }

    private long next(ExecutionContext context) {
        return next(context.counters().of(sequence.id()));
    }

    private static long next(Counters.Counter counter) {
        return counter.next(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** Spare partitions have no other key than their place, and numbers of all partitions differ. */
    @Test
    void aPartitionWithoutKeysHasAPlaceOfItsOwn() {
        PartitionPlan spares = PartitionPlan.hash(2, 3);
        assertThat(SequencePlaces.first(spares, 4)).isEmpty();
        PartitionPlan plan = SequencePlaces.forAll(spares);
        Set<Integer> places = new TreeSet<>();
        for (int partition = 0; partition < plan.partitionCount(); partition++) {
            int place = SequencePlaces.first(plan, partition).orElseThrow();
            assertThat(places.add(place)).isTrue();
            if (partition < 2) {
                assertThat(SequencePlaces.first(spares, partition)).hasValue(place);
            }
        }
        for (long key = 0; key < 1_000; key++) {
            assertThat(plan.partitionOf(key)).isEqualTo(spares.partitionOf(key)).isLessThan(2);
        }
        assertThat(SequencePlaces.forAll(plan).hashes()).isEqualTo(plan.hashes());
        assertThatThrownBy(() -> SequencePlaces.forAll(PartitionPlan.hash(1, SequenceRule.PLACES)))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
    }

    @Test
    void aSparePartitionDrawsAtItsPlace() {
        PartitionPlan plan = SequencePlaces.forAll(PartitionPlan.hash(2, 1));
        ExecutionContext spare = new ExecutionContext(storage, plan, 2, 1 << 20, () -> {});
        int place = SequencePlaces.first(plan, 2).orElseThrow();
        assertThat(next(spare) % SequenceRule.PLACES).isEqualTo(place);
        assertThat(next(spare)).isEqualTo(place + (long) SequenceRule.PLACES);
    }

    /** A primary that has drawn by earlier plans and a copy that begins with this one must draw the same number. */
    @Test
    void thePlaceFollowsFromThePlanAlone() {
        ExecutionContext primary = context(HALVES);
        var counter = primary.counters().of(sequence.id());
        assertThat(next(counter) % SequenceRule.PLACES)
                .as("the first place is another partition's")
                .isNotZero();
        storage.undoLog().commit(1);
        primary.setPartitionPlan(ALL);
        long drawn = next(counter);
        storage.undoLog().rollback();
        assertThat(next(context(ALL))).isEqualTo(drawn);
        storage.undoLog().rollback();
    }

    /** Numbers that an INTEGER column draws until there are none: at all places of the partition. */
    private List<Long> integers(Counters.Counter counter) {
        List<Long> drawn = new ArrayList<>();
        try {
            while (true) {
                drawn.add(counter.next(Integer.MIN_VALUE, Integer.MAX_VALUE));
            }
        } catch (FulmarException noneLeft) {
            assertThat(noneLeft.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE);
        }
        return drawn;
    }

    @Test
    void anIntegerGoesOnAtTheNextPlaceOfItsPartition() {
        for (int increment : List.of(1, -1)) {
            long last = increment > 0 ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            int id = 100 + increment;
            Table almostUsedUp = new SequenceRule(last - 2_000L * increment, increment, true)
                    .table(id, "U")
                    .withPartitioningColumn(0);
            storage.createTable(almostUsedUp);
            List<Long> all = new ArrayList<>();
            for (int partition = 0; partition < 2; partition++) {
                ExecutionContext context = new ExecutionContext(storage, HALVES, partition, 1 << 20, () -> {});
                all.addAll(integers(context.counters().of(id)));
                storage.undoLog().commit(1 + partition);
            }

            assertThat(all)
                    .as("all numbers from the start to the end")
                    .hasSize(2_001)
                    .doesNotHaveDuplicates();
            assertThat(all).contains(last, last - 2_000L * increment);
            assertThat(all).allMatch(number -> number >= Integer.MIN_VALUE && number <= Integer.MAX_VALUE);
        }
    }

    /** A copy, and a replay, know nothing of draws that were undone. */
    @Test
    void thePlaceWithNumbersLeftFollowsFromTheRowsAlone() {
        Table almostUsedUp = new SequenceRule(Integer.MAX_VALUE - 1_500L, 1, true)
                .table(100, "U")
                .withPartitioningColumn(0);
        storage.createTable(almostUsedUp);
        Counters.Counter primary = context(HALVES).counters().of(100);
        List<Long> undone = integers(primary);
        storage.undoLog().rollback();
        Counters.Counter copy = context(HALVES).counters().of(100);
        for (long expected : undone) {
            assertThat(primary.next(Integer.MIN_VALUE, Integer.MAX_VALUE)).isEqualTo(expected);
            storage.undoLog().rollback();
            assertThat(copy.next(Integer.MIN_VALUE, Integer.MAX_VALUE)).isEqualTo(expected);
            storage.undoLog().commit(1);
        }
        assertThat(next(primary)).as("a BIGINT goes on at the first place").isGreaterThan(Integer.MAX_VALUE);
        storage.undoLog().rollback();
    }

    private Table dense(long start, long increment) {
        Table table = new SequenceRule(start, increment, false, 10).table(2000, "D");
        storage.createTable(table);
        return table;
    }

    /** The row of a dense sequence belongs to the same place by all plans, so it moves with its hash. */
    @Test
    void aDenseSequenceIsCountedAtOnePlace() {
        Table dense = dense(1, 1);
        Counters.Counter counter = context(HALVES).counters().of(dense.id());
        assertThat(counter.nextRange(3)).as("as many as a node draws").isEqualTo(1);
        assertThat(counter.nextRange(25)).isEqualTo(11);
        assertThat(counter.nextRange(1)).isEqualTo(36);
        storage.undoLog().commit(1);
        assertThat(context(ALL).counters().of(dense.id()).nextRange(1)).isEqualTo(46);
        storage.undoLog().rollback();
        assertThat(context(HALVES).counters().of(dense.id()).nextRange(1))
                .as("what is undone was not drawn")
                .isEqualTo(46);
        storage.undoLog().rollback();
    }

    @Test
    void aDenseSequenceGivesTheNumbersThatAreLeft() {
        Table dense = dense(Long.MIN_VALUE + 5, -2);
        Counters.Counter counter = context(HALVES).counters().of(dense.id());
        assertThat(counter.nextRange(1)).isEqualTo(Long.MIN_VALUE + 5);
        assertThat(SequenceRule.available(Long.MIN_VALUE + 5, -2, Long.MIN_VALUE, 10))
                .isEqualTo(3);
        assertThatThrownBy(() -> counter.nextRange(1))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.VALUE_OUT_OF_RANGE));
        storage.undoLog().rollback();
    }

    @Test
    void nothingElseIsDrawnFromADenseSequence() {
        Table dense = dense(1, 1);
        Counters.Counter counter = context(HALVES).counters().of(dense.id());
        assertThatThrownBy(() -> next(counter))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_SUPPORTED));
        ExecutionContext context = context(HALVES);
        context.guardData(new DataAccess() {
            @Override
            public Presence ofKey(KeySpace space, long position) {
                return new Presence.Absent(resume -> {});
            }

            @Override
            public Presence ofAll() {
                return Presence.PRESENT;
            }
        });
        assertThatThrownBy(() -> context.counters().of(dense.id()).nextRange(1)).isInstanceOf(AbsentData.class);
    }

    @Test
    void thePlaceIsAskedForWhileDataMoves() {
        ExecutionContext context = context(HALVES);
        context.guardData(new DataAccess() {
            @Override
            public Presence ofKey(KeySpace space, long position) {
                return new Presence.Absent(resume -> {});
            }

            @Override
            public Presence ofAll() {
                return Presence.PRESENT;
            }
        });
        assertThatThrownBy(() -> next(context)).isInstanceOf(AbsentData.class);
        context.guardData(null);
        assertThat(next(context)).isPositive();
        storage.undoLog().rollback();
    }
}
