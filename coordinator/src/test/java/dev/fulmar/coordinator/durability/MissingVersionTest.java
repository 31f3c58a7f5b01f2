package dev.fulmar.coordinator.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.coordinator.transaction.SteppedPartition;
import dev.fulmar.engine.durability.ImageBuffer;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureLoader;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.pmemlog.record.RecordFormat;
import dev.fulmar.pmemlog.record.RecordKind;
import dev.fulmar.pmemlog.record.RecordReader;
import dev.fulmar.pmemlog.record.RecordWriter;
import org.junit.jupiter.api.Test;

/** A log with records of a version of the catalog that it does not have. */
class MissingVersionTest {
    private final SteppedPartition here = new SteppedPartition();
    private final PartitionReplay replay = replay();

    private PartitionReplay replay() {
        CatalogHistory history = CatalogHistory.begin(new NoSql(), LoadingLimits.DEFAULT);
        ProcedureLoader loader =
                new ProcedureLoader(new NoSql(), any -> null, here.process.clock(), LoadingLimits.DEFAULT);
        return new PartitionReplay(here.runtime, history, new LoadedEditions(history, loader), Long.MAX_VALUE);
    }

    private static RecordReader record(RecordKind kind, int catalogVersion) {
        ImageBuffer payload = new ImageBuffer();
        LogPayload.begin(payload, null, 0, false, null);
        byte[] bytes = new byte[RecordFormat.storedBytes(payload.length())];
        new RecordWriter()
                .wrap(bytes, 0, bytes.length, kind)
                .position(0, 1, 1)
                .catalogVersion(catalogVersion)
                .payload(payload.array(), 0, payload.length())
                .finish(payload.length());
        RecordReader reader = new RecordReader();
        reader.wrapChecked(bytes, 0, bytes.length);
        return reader;
    }

    /** Other nodes have all of it; the node would not start before somebody removed its data directory. */
    @Test
    void aCopyWhoseLogLacksAVersionIsBuiltAnew() {
        try (here) {
            replay.keepNewest(1 << 20);
            replay.record(record(RecordKind.COMMAND, 3), 0, 0);
            assertThat(replay.isDiscarded()).isTrue();
            assertThat(replay.missingVersion()).isEqualTo(3);
            replay.record(record(RecordKind.VALUES, 4), 0, 0);
            assertThat(replay.missingVersion()).as("the first").isEqualTo(3);
        }
    }

    @Test
    void aDatabaseWithoutCopiesDoesNotStart() {
        try (here) {
            assertThatThrownBy(() -> replay.record(record(RecordKind.COMMAND, 3), 0, 0))
                    .isInstanceOf(FulmarException.class)
                    .hasMessageContaining("version 3 of the catalog, but the log has only those up to 0");
            assertThat(replay.isDiscarded()).isFalse();
        }
    }
}
