package dev.fulmar.coordinator.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.List;
import org.junit.jupiter.api.Test;

class BallotTest {
    private static final PartitionId A = new PartitionId(0);
    private static final PartitionId B = new PartitionId(1);

    private final Ballot ballot = new Ballot(List.of(A, B));

    @Test
    void isCarriedWhenEverybodyAgreesAtTheHighestProposal() {
        assertThat(ballot.vote(A, true, 9)).isEqualTo(Ballot.State.OPEN);
        assertThat(ballot.vote(B, true, 4)).isEqualTo(Ballot.State.CARRIED);
        assertThat(ballot.commitTimestamp()).isEqualTo(9);
    }

    @Test
    void isRejectedByOneVote() {
        assertThat(ballot.vote(B, false, 0)).isEqualTo(Ballot.State.REJECTED);
        assertThat(ballot.vote(A, true, 1)).isEqualTo(Ballot.State.REJECTED);
        assertThatThrownBy(ballot::commitTimestamp).isInstanceOf(FulmarException.class);
    }

    @Test
    void aVoteCountsOnce() {
        ballot.vote(A, true, 1);
        assertThat(ballot.vote(A, true, 2)).isEqualTo(Ballot.State.OPEN);
    }
}
