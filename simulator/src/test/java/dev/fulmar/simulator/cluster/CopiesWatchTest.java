package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.replica.PartitionReplica;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class CopiesWatchTest {
    private static PartitionReplica.Holding holding(long end, long durableEnd, boolean isGivenUp) {
        CopyState state = new CopyState(new CopyId(new NodeId(1), 1), 1, EpochHistory.EMPTY, end, durableEnd, 0);
        return new PartitionReplica.Holding(state, false, isGivenUp);
    }

    @Test
    void aCopyInSyncHasWhatIsAcknowledged() {
        assertThat(CopiesWatch.wrong(holding(10, 10, false), 10, true)).isNull();
        assertThat(CopiesWatch.wrong(holding(9, 9, false), 10, true)).contains("misses records");
        assertThat(CopiesWatch.wrong(holding(9, 9, false), 10, false)).contains("misses records");
    }

    @Test
    void itIsDurableThereIfCopiesKeepWhatTheyConfirm() {
        assertThat(CopiesWatch.wrong(holding(10, 9, false), 10, true)).contains("not durable");
        assertThat(CopiesWatch.wrong(holding(10, 9, false), 10, false)).isNull();
    }

    @Test
    void whatWasAcknowledgedInEarlierTermsCountsUnlessALogOfItsOwnWasBegun() {
        CopyId first = new CopyId(new NodeId(1), 1);
        CopyId second = new CopyId(new NodeId(2), 1);
        PartitionRecord before = new PartitionRecord(3, first, 1, List.of(first));
        assertThat(CopiesWatch.isAnotherLog(before, new PartitionRecord(4, second, 1, List.of(second))))
                .isTrue();
        assertThat(CopiesWatch.isAnotherLog(before, new PartitionRecord(4, first, 2, List.of(first))))
                .isFalse();
        assertThat(CopiesWatch.isAnotherLog(before, new PartitionRecord(3, first, 1, List.of(first, second))))
                .isFalse();
    }

    @Test
    void itHasItsRows() {
        assertThat(CopiesWatch.wrong(holding(10, 10, true), 0, false)).contains("given up");
    }
}
