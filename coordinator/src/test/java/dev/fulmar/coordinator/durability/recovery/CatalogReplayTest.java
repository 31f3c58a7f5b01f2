package dev.fulmar.coordinator.durability.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.CatalogEntry;
import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.coordinator.durability.catalog.CatalogHistory;
import dev.fulmar.coordinator.durability.catalog.CatalogImage;
import dev.fulmar.coordinator.durability.catalog.DurableJournal;
import dev.fulmar.coordinator.durability.log.CatalogRecord;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.CatalogChange;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.engine.spi.SqlFrontend;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogReplayTest {
    private static final int RECORD_BYTES = 1 << 16;

    private final CatalogHistory history = CatalogHistory.begin(new NamesAsSchemas(), LoadingLimits.DEFAULT);
    private final List<String> told = new ArrayList<>();
    private final CatalogReplay replay = new CatalogReplay(
            history,
            DurableJournal.unwritten(
                    PartitionLogBuffer.unwritten(CatalogRecord.STREAM, new StreamEnd(0, 0), 1 << 20, RECORD_BYTES),
                    RECORD_BYTES,
                    history,
                    new SimulatedWorld(1).startProcess(new NodeId(0)).clock()),
            new CatalogReplay.Adopter() {
                @Override
                public void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) {
                    told.add("adopted");
                }

                @Override
                public void settled(long version, byte[] kept, long timestamp) {
                    told.add("settled " + version);
                }

                @Override
                public void fallBack(Catalog catalog, ProcedureJars jars) {
                    told.add("fallen back");
                }
            });

    private final CatalogReplay.Outcome outcome = new CatalogReplay.Outcome() {
        @Override
        public void settled(long timestamp) {
            told.add("counts");
        }

        @Override
        public void lost() {
            told.add("lost");
        }
    };

    @Test
    void aChangeCountsWhenTheLogIsReleasedUpToIt() {
        history.add(1, new CatalogEntry.Statement("A"));
        replay.made(10, 1, outcome);
        replay.released(9);
        assertThat(told).isEmpty();
        replay.released(10);
        assertThat(told).containsExactly("counts");
        assertThat(replay.catalogVersion()).isEqualTo(1);
    }

    /**
     * Only the beginning of a term went, to a position that the log may never come to again: what was to count with it
     * counts with what is left.
     */
    @Test
    void whatWasToCountWithTheBeginningOfATermThatWentCountsWithTheLogAsItIs() {
        history.add(1, new CatalogEntry.Statement("A"));
        replay.made(10, 1, outcome);
        replay.wentBack(8);
        replay.released(7);
        assertThat(told).isEmpty();
        replay.released(8);
        assertThat(told).containsExactly("counts");
        assertThat(replay.catalogVersion()).isEqualTo(1);
    }

    /** A crash before would leave the versions of before, and partitions could have records of the newer ones. */
    @Test
    void whatAnImageHasCountsOnceTheRecordThatHasItIsDurable() {
        CatalogHistory other = CatalogHistory.begin(new NamesAsSchemas(), LoadingLimits.DEFAULT);
        other.add(1, new CatalogEntry.Statement("A"));
        history.add(1, new CatalogEntry.Statement("A"));
        replay.joined(40);
        other.add(2, new CatalogEntry.Statement("B"));
        history.add(2, new CatalogEntry.Statement("C"));
        replay.made(41, 2, outcome);
        other.add(3, new CatalogEntry.Statement("D"));
        replay.load(new CatalogImage(0, other.changes()));
        assertThat(told).containsExactly("fallen back", "lost");
        assertThat(replay.catalogVersion()).isZero();
        replay.goOnBehind(30, 2, EpochHistory.EMPTY.with(7, 29));
        assertThat(told).containsExactly("fallen back", "lost");
        replay.released(30);
        assertThat(told)
                .containsExactly(
                        "fallen back", "lost", "settled 1", "adopted", "settled 2", "adopted", "settled 3", "adopted");
        assertThat(replay.catalogVersion()).isEqualTo(3);
    }

    /** Each statement is the name of a schema to be made. */
    private static final class NamesAsSchemas implements SqlFrontend {
        @Override
        public List<String> split(String script) {
            throw new IllegalStateException(script);
        }

        @Override
        public Compiled compile(String sql, Catalog catalog) {
            return new Compiled.Change(new CatalogChange.CreateSchema(sql, CatalogChange.Presence.STRICT));
        }
    }
}
