package dev.fulmar.coordinator.durability.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.LoadedEditions;
import dev.fulmar.coordinator.transaction.SteppedPartition;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.pmemlog.record.RecordKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowsReplayTest {
    private static final long VERSION = 7;

    /** A partition whose tables are of the version. */
    private static RowsReplay replay(SteppedPartition here) {
        CatalogHistory history = CatalogHistory.begin(new NoSql(), LoadingLimits.DEFAULT);
        ProcedureLoader loader =
                new ProcedureLoader(new NoSql(), any -> null, here.process.clock(), LoadingLimits.DEFAULT);
        here.runtime.storageStands(VERSION);
        LoadedEditions editions = new LoadedEditions(history, loader);
        return new RowsReplay(new PartitionReplay(here.runtime, history, editions, Long.MAX_VALUE), () -> VERSION);
    }

    /** Their tables may be others by now, or gone. */
    @ParameterizedTest
    @EnumSource(
            value = RecordKind.class,
            names = {"COMMAND", "VALUES", "PREPARE"})
    void rowsOfAnEarlierVersionHaveNoPlace(RecordKind kind) {
        try (SteppedPartition here = new SteppedPartition()) {
            RowsReplay replay = replay(here);
            assertThat(replay.isAheadOf(kind, VERSION - 1)).isTrue();
            assertThat(replay.isAheadOf(kind, VERSION)).isFalse();
            assertThat(replay.isAheadOf(kind, VERSION + 1)).isFalse();
        }
    }

    /** Who begins to lead may not know of the version yet that its tables have. */
    @Test
    void whatHasNoRowsIsTakenWhateverItSays() {
        try (SteppedPartition here = new SteppedPartition()) {
            RowsReplay replay = replay(here);
            assertThat(replay.isAheadOf(RecordKind.EPOCH, 0)).isFalse();
            assertThat(replay.isAheadOf(RecordKind.DECISION, VERSION - 1)).isFalse();
        }
    }
}
