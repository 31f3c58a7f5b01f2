package dev.fulmar.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.SliceHaste;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A reconfiguration looks at a partition in slices of its site's time. */
class SlicedInspectionTest {
    private static final PartitionId FIRST = new PartitionId(0);

    private final SteppedDatabase db =
            SteppedDatabase.withBank(DatabaseConfiguration.of(PartitionPlan.ranges(1, 100), 1));

    @Test
    void aSliceShowsCommittedRows() {
        db.open(1000, 10, 150);
        List<Long> rows = new ArrayList<>();
        db.database
                .reconfiguration()
                .inspectInTurn(
                        FIRST,
                        SliceHaste.USUAL,
                        data -> data.buckets()
                                .bounds()
                                .buckets()
                                .forEach(bucket -> rows.add(data.buckets().rowCount(bucket))),
                        cause -> {});
        db.settle();
        assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(1);
    }

    /** The site has other partitions, which nothing is wrong with. */
    @Test
    void aDefectEndsThePartitionAndNotItsSite() {
        db.open(1000, 10, 150);
        db.database
                .reconfiguration()
                .inspectInTurn(
                        FIRST,
                        SliceHaste.USUAL,
                        data -> {
                            throw new IllegalStateException("expected by the test");
                        },
                        cause -> {});
        db.settle();
        assertThat(db.run(SteppedDatabase.request("Transfer", 150L, 150L, 1L))).isInstanceOf(Committed.class);
        List<String> refused = new ArrayList<>();
        db.database
                .reconfiguration()
                .inspectInTurn(
                        FIRST,
                        SliceHaste.USUAL,
                        data -> refused.add("is shown"),
                        cause -> refused.add(cause.code().name()));
        db.settle();
        assertThat(refused).containsExactly("NODE_STOPPING");
    }
}
