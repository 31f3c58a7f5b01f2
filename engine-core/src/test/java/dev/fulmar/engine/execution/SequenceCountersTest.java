package dev.fulmar.engine.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.catalog.SequenceRule;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.memory.ChunkSource;
import dev.fulmar.engine.memory.MemoryBudget;
import dev.fulmar.engine.partitioning.KeyRanges;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.spi.Presence;
import dev.fulmar.engine.table.PartitionStorage;
import java.util.List;
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
        return context.counters().of(sequence.id()).next();
    }

    /** A primary that has drawn by earlier plans and a copy that begins with this one must draw the same number. */
    @Test
    void thePlaceFollowsFromThePlanAlone() {
        ExecutionContext primary = context(HALVES);
        var counter = primary.counters().of(sequence.id());
        assertThat(counter.next() % SequenceRule.PLACES)
                .as("the first place is another partition's")
                .isNotZero();
        storage.undoLog().commit(1);
        primary.setPartitionPlan(ALL);
        long drawn = counter.next();
        storage.undoLog().rollback();
        assertThat(next(context(ALL))).isEqualTo(drawn);
        storage.undoLog().rollback();
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
