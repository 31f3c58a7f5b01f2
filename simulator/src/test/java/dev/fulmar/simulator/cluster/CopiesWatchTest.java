package dev.fulmar.simulator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.durability.HostedCopy;
import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.replication.CopyState;
import dev.fulmar.coordinator.replication.EpochHistory;
import dev.fulmar.foundation.id.NodeId;
import org.junit.jupiter.api.Test;

class CopiesWatchTest {
    private static HostedCopy.Holding holding(long end, long durableEnd, boolean isGivenUp) {
        CopyState state = new CopyState(new CopyId(new NodeId(1), 1), 1, EpochHistory.EMPTY, end, durableEnd, 0);
        return new HostedCopy.Holding(state, false, isGivenUp);
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
    void itHasItsRows() {
        assertThat(CopiesWatch.wrong(holding(10, 10, true), 0, false)).contains("given up");
    }
}
