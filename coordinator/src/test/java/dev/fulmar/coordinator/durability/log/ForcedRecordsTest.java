package dev.fulmar.coordinator.durability.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.pmemlog.log.PartitionLogBuffer;
import dev.fulmar.pmemlog.segment.StreamEnd;
import org.junit.jupiter.api.Test;

class ForcedRecordsTest {
    private final PartitionLogBuffer lane = PartitionLogBuffer.unwritten(0, new StreamEnd(0, 0), 1 << 20, 1 << 16);
    private final DurableMarks marks = new DurableMarks();
    private final PartitionLog log = new PartitionLog(lane, () -> 1, () -> {}, 1 << 16);

    /** A step must be on the device before it counts, where commits need not. */
    @Test
    void aStepOfAReconfigurationIsForced() {
        log.keepRecords(new RecordMemory(0, 1 << 20), marks, () -> null);
        log.reconfigured(new byte[] {1, 2, 3}, 5);
        long step = lane.lastSequence();
        marks.offered(lane.position(), step);
        assertThat(marks.durableUnlessForced(lane.position() - 1)).isLessThan(step);
        assertThat(marks.durableUnlessForced(lane.position())).isEqualTo(step);
    }
}
