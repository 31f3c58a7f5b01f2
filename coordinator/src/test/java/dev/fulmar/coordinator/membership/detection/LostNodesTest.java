package dev.fulmar.coordinator.membership.detection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.ManualScheduler;
import dev.fulmar.foundation.id.NodeId;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** When a node that is not reached counts as lost. */
class LostNodesTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    private final Set<NodeId> reached = new TreeSet<>();
    private final ManualScheduler time = new ManualScheduler();
    private final LostNodes lost = new LostNodes(reached::contains, time, time, 10 * SECOND_NANOS);

    private boolean isLostAfter(long seconds) {
        time.advance(seconds * SECOND_NANOS);
        return lost.isLost(2);
    }

    @Test
    void aNodeIsLostWhenItWasNotReachedForLong() {
        assertThat(isLostAfter(0)).isFalse();
        assertThat(isLostAfter(9)).isFalse();
        assertThat(isLostAfter(1)).isTrue();
    }

    /** Although no caller asks then. */
    @Test
    void oneThatIsReachedForAMomentIsNot() {
        assertThat(isLostAfter(0)).isFalse();
        time.advance(4 * SECOND_NANOS);
        reached.add(new NodeId(2));
        time.advance(2 * SECOND_NANOS);
        reached.clear();
        assertThat(isLostAfter(20)).as("a new absence begins with the question").isFalse();
        assertThat(isLostAfter(10)).isTrue();
        reached.add(new NodeId(2));
        assertThat(isLostAfter(0)).isFalse();
    }

    @Test
    void aNodeForWhichNoCallerAsksIsForgotten() {
        assertThat(isLostAfter(0)).isFalse();
        assertThat(isLostAfter(400)).isFalse();
        assertThat(isLostAfter(10)).isTrue();
    }
}
