package dev.fulmar.coordinator.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.coordinator.membership.CopyId;
import dev.fulmar.coordinator.membership.PartitionRecord;
import dev.fulmar.coordinator.replication.ReplicationMessage.Replaces;
import dev.fulmar.foundation.id.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class SuccessionTest {
    private static final PartitionRecord RECORD =
            new PartitionRecord(5, copy(1, 4), 4, List.of(copy(1, 4), copy(2, 4), copy(3, 4)));

    private final Succession succession = new Succession();

    private static CopyId copy(int node, long life) {
        return new CopyId(new NodeId(node), life);
    }

    private static Replaces claim(int node, long lastEpoch, long end) {
        return new Replaces(5, copy(node, 9), lastEpoch, end);
    }

    @Test
    void nobodyBeginsWhileOneMayStillHaveMore() {
        succession.heard(claim(2, 5, 10));
        assertThat(succession.isDue(claim(1, 5, 20), RECORD)).isFalse();
        succession.heard(claim(3, 5, 10));
        assertThat(succession.isDue(claim(1, 5, 20), RECORD)).isTrue();
    }

    @Test
    void theLongestLogOfTheLatestTermGoesOn() {
        succession.heard(claim(2, 5, 10));
        succession.heard(claim(3, 4, 99));
        assertThat(succession.isDue(claim(1, 5, 9), RECORD)).isFalse();
        assertThat(succession.isDue(claim(1, 4, 100), RECORD)).isFalse();
        assertThat(succession.isDue(claim(1, 5, 11), RECORD)).isTrue();
        assertThat(succession.isDue(claim(1, 5, 10), RECORD))
                .as("the first of equals")
                .isTrue();
    }

    @Test
    void whatWasSaidOfAnotherTermOrAnEarlierLifeDoesNotCount() {
        succession.heard(claim(2, 5, 10));
        succession.heard(new Replaces(4, copy(3, 9), 4, 1));
        assertThat(succession.isDue(claim(1, 5, 20), RECORD)).as("another term").isFalse();
        succession.heard(new Replaces(5, copy(3, 4), 5, 1));
        assertThat(succession.isDue(claim(1, 5, 20), RECORD))
                .as("an earlier life")
                .isFalse();
        succession.heard(claim(3, 5, 1));
        succession.heard(new Replaces(5, copy(3, 8), 5, 50));
        assertThat(succession.isDue(claim(1, 5, 20), RECORD))
                .as("the latest life counts")
                .isTrue();
    }

    /** One without anything may be one that was given up and waits for a primary itself. */
    @Test
    void whoHasNothingIsWaitedForButNeverLeftTheFirstWord() {
        succession.heard(claim(1, 0, 0));
        assertThat(succession.isDue(claim(2, 4, 5), RECORD)).isFalse();
        succession.heard(claim(3, 0, 0));
        assertThat(succession.isDue(claim(2, 4, 5), RECORD)).isTrue();
        assertThat(succession.isDue(claim(2, 0, 0), RECORD)).isTrue();
    }

    @Test
    void onlyANodeWhoseCopyWasInSyncBegins() {
        succession.heard(claim(1, 5, 1));
        succession.heard(claim(2, 5, 1));
        succession.heard(claim(3, 5, 1));
        assertThat(succession.isDue(claim(4, 5, 20), RECORD)).isFalse();
    }
}
