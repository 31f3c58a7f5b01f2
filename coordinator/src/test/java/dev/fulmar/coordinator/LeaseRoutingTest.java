package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.execution.RowArea;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeaseRoutingTest {
    private static final int PARTITIONED = 7;
    private static final int REPLICATED = 8;
    private static final int PARTITIONS = 4;

    private static BitSet homes(int... tables) {
        BitSet needed = new BitSet();
        needed.set(2);
        List<RowArea> areas = Arrays.stream(tables)
                .mapToObj(table -> new RowArea(table, 0, List.of()))
                .toList();
        return LeaseRouting.homes(needed, areas, id -> id == REPLICATED, PARTITIONS);
    }

    /** A transaction may ask any of them for a row of a replicated table. */
    @Test
    void leasesOfAReplicatedTableAreAtAllPartitions() {
        assertThat(homes(PARTITIONED, PARTITIONED).stream()).containsExactly(2);
        assertThat(homes(PARTITIONED, REPLICATED).stream()).containsExactly(0, 1, 2, 3);
    }
}
