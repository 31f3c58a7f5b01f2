package dev.fulmar.coordinator.membership.detection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.NodeId;
import dev.fulmar.foundation.time.Clock;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When a node that is not reached counts as lost. */
class LostNodesTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final Set<NodeId> reached = new TreeSet<>();
    private long nowNanos;
    private final Clock clock = new Clock() {
        @Override
        public long monotonicNanos() {
            return nowNanos;
        }

        @Override
        public long wallMicros() {
            return nowNanos / 1_000;
        }
    };
    private final LostNodes lost = new LostNodes(reached::contains, clock, 10 * SECOND_NANOS);

    private boolean isLostAfter(long seconds) {
        nowNanos += seconds * SECOND_NANOS;
        return lost.isLost(2);
    }

    @Test
    void aNodeIsLostWhenItWasNotReachedForLong() {
        for (int round = 0; round < 5; round++) {
            assertThat(isLostAfter(2)).as("round %d", round).isFalse();
        }
        assertThat(isLostAfter(2)).isTrue();
    }

    @Test
    void oneThatWasReachedMeanwhileIsNot() {
        assertThat(isLostAfter(0)).isFalse();
        assertThat(isLostAfter(4)).isFalse();
        reached.add(new NodeId(2));
        assertThat(isLostAfter(4)).isFalse();
        reached.clear();
        assertThat(isLostAfter(4)).isFalse();
        assertThat(isLostAfter(4)).isFalse();
        assertThat(isLostAfter(4)).isFalse();
        assertThat(isLostAfter(4)).isTrue();
    }

    @Test
    void aNodeForWhichNobodyAskedMayHaveComeBack() {
        assertThat(isLostAfter(0)).isFalse();
        assertThat(isLostAfter(25)).isFalse();
        assertThat(isLostAfter(5)).isFalse();
        assertThat(isLostAfter(5)).isTrue();
    }
}
