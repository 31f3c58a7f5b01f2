package dev.fulmar.coordinator.durability.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CatalogBarrierTest {
    private static final PartitionId PARTITION = new PartitionId(2);
    private static final long LATER_NANOS = 1_000_000_000;

    private final List<Long> asked = new ArrayList<>();
    private long settled = 4;
    private final CatalogBarrier primaries = new CatalogBarrier(() -> settled);

    private boolean isCounted(long epoch, long nowNanos) {
        return primaries.isCounted(PARTITION, epoch, nowNanos, (_, term) -> asked.add(term));
    }

    @Test
    void aTermIsServedOnceTheNodeHasWhatWasDecidedWithoutIt() {
        assertThat(isCounted(7, 0)).isFalse();
        assertThat(isCounted(7, 1)).isFalse();
        assertThat(asked).containsExactly(7L);
        primaries.decided(PARTITION, 7, 5);
        assertThat(isCounted(7, 2)).isFalse();
        settled = 5;
        assertThat(isCounted(7, 3)).isTrue();
        assertThat(isCounted(7, LATER_NANOS)).isTrue();
        assertThat(asked).containsExactly(7L);
    }

    @Test
    void eachTermAsksForItself() {
        assertThat(isCounted(7, 0)).isFalse();
        primaries.decided(PARTITION, 7, 4);
        assertThat(isCounted(7, 1)).isTrue();
        assertThat(isCounted(8, 2)).isFalse();
        primaries.decided(PARTITION, 7, 4);
        assertThat(isCounted(8, 3)).isFalse();
        assertThat(asked).containsExactly(7L, 8L);
    }

    @Test
    void aQuestionThatIsLostIsAskedAgain() {
        assertThat(isCounted(7, 0)).isFalse();
        assertThat(isCounted(7, LATER_NANOS)).isFalse();
        assertThat(asked).containsExactly(7L, 7L);
    }

    /** The change that an answer named may be lost with the primary that made it. */
    @Test
    void anAnswerThatDoesNotComeTrueIsFollowedByAnotherQuestion() {
        assertThat(isCounted(7, 0)).isFalse();
        primaries.decided(PARTITION, 7, 5);
        assertThat(isCounted(7, LATER_NANOS)).isFalse();
        primaries.decided(PARTITION, 7, 4);
        assertThat(isCounted(7, LATER_NANOS + 1)).isTrue();
    }

    /** A later change has the word of a later primary, whose log this one does not have. */
    @Test
    void aTermThatAChangeHasPassedIsNotServed() {
        settled = 4;
        assertThat(isCounted(7, 0)).isFalse();
        primaries.decided(PARTITION, 7, 4);
        settled = 5;
        assertThat(isCounted(7, 1)).isFalse();
        assertThat(isCounted(7, LATER_NANOS)).isFalse();
        assertThat(asked).containsExactly(7L, 7L);
    }
}
