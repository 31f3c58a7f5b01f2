package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.RowArea;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
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

    /** Else one that waits for such a lease at another node would wait there, though its client is gone. */
    @Test
    void leasesOfAStatementWhosePlanIsGoneEndEverywhere() {
        ScriptStep step = new ScriptStep("SELECT 1 FROM t FOR UPDATE", new byte[] {0, 0}, 5);
        Program program = Program.empty(PartitionPlan.hash(PARTITIONS));
        assertThat(LeaseRouting.places(step, unknown -> null, program).stream()).containsExactly(0, 1, 2, 3);
        assertThat(LeaseRouting.places(
                        step,
                        notRightAnyMore -> {
                            throw new FulmarException(ErrorCode.UNKNOWN_OBJECT, "there is no table T");
                        },
                        program)
                        .stream())
                .containsExactly(0, 1, 2, 3);
    }
}
