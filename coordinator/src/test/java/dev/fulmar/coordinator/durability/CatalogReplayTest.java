package dev.fulmar.coordinator.durability;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.change.StorageStep;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.procedure.loading.LoadingLimits;
import dev.fulmar.engine.procedure.loading.ProcedureJars;
import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.simulated.SimulatedWorld;
import dev.fulmar.pmemlog.log.LogLane;
import dev.fulmar.pmemlog.segment.StreamEnd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogReplayTest {
    private static final int RECORD_BYTES = 1 << 16;

    private final CatalogHistory history = CatalogHistory.begin(new NoSql(), LoadingLimits.DEFAULT);
    private final List<String> told = new ArrayList<>();
    private final CatalogReplay replay = new CatalogReplay(
            history,
            DurableJournal.unwritten(
                    LogLane.unwritten(DurableJournal.STREAM, new StreamEnd(0, 0), 1 << 20, RECORD_BYTES),
                    RECORD_BYTES,
                    history,
                    new SimulatedWorld(1).startProcess(new NodeId(0)).clock()),
            new CatalogReplay.Adopter() {
                @Override
                public void adopt(Catalog catalog, ProcedureJars jars, List<StorageStep> steps) {
                    told.add("adopted");
                }

                @Override
                public void settled(long version, byte[] kept) {
                    told.add("settled " + version);
                }

                @Override
                public void fallBack(Catalog catalog, ProcedureJars jars) {
                    told.add("fallen back");
                }
            });

    private final CatalogReplay.Outcome outcome = new CatalogReplay.Outcome() {
        @Override
        public void settled() {
            told.add("counts");
        }

        @Override
        public void lost() {
            told.add("lost");
        }
    };

    @Test
    void aChangeCountsWhenTheLogIsReleasedUpToIt() {
        replay.made(10, 5, outcome);
        replay.released(9);
        assertThat(told).isEmpty();
        replay.released(10);
        assertThat(told).containsExactly("counts");
        assertThat(replay.catalogVersion()).isEqualTo(5);
    }

    /** Only the beginning of a term went, to a position that the log may never come to again: what was to count with it counts with what is left. */
    @Test
    void whatWasToCountWithTheBeginningOfATermThatWentCountsWithTheLogAsItIs() {
        replay.made(10, 5, outcome);
        replay.wentBack(8);
        replay.released(7);
        assertThat(told).isEmpty();
        replay.released(8);
        assertThat(told).containsExactly("counts");
        assertThat(replay.catalogVersion()).isEqualTo(5);
    }
}
