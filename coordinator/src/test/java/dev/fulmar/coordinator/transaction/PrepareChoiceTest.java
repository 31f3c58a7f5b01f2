package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partition.PartitionMessage.PrepareMode;
import org.junit.jupiter.api.Test;

class PrepareChoiceTest {
    private static final PrepareMode ORDINARY = PrepareMode.SPECULATE;

    private static PrepareMode choice(boolean hasFailed, boolean isAlone, boolean hasChanged, boolean isHeld) {
        return new PrepareChoice(hasFailed, ORDINARY, isAlone, hasChanged, isHeld).mode();
    }

    @Test
    void whatHasChangedNothingLetsEachPartitionGoWithItsVote() {
        assertThat(choice(false, false, true, false)).isEqualTo(PrepareMode.SPECULATE);
        assertThat(choice(false, false, false, false)).isEqualTo(PrepareMode.RELEASE);
        assertThat(choice(false, true, true, false)).isEqualTo(PrepareMode.COMMIT);
        assertThat(choice(true, false, true, false)).isEqualTo(PrepareMode.UNDO);
    }

    /**
     * What comes next at one partition would be heard of while another's vote waits for a strict reader, who may yet
     * come to where that is heard of.
     */
    @Test
    void aVoteThatAReaderHoldsBackKeepsAllPartitionsLocked() {
        assertThat(choice(false, false, false, true)).isEqualTo(PrepareMode.SPECULATE);
        assertThat(choice(true, false, false, true)).isEqualTo(PrepareMode.SPECULATE);
        assertThat(choice(true, false, true, true)).isEqualTo(PrepareMode.SPECULATE);
    }

    @Test
    void aChangeOfTheCatalogWaitsAndIsUndoneIfItFails() {
        assertThat(new PrepareChoice(false, PrepareMode.WAIT, true, true, true).mode())
                .isEqualTo(PrepareMode.WAIT);
        assertThat(new PrepareChoice(true, PrepareMode.WAIT, false, true, true).mode())
                .isEqualTo(PrepareMode.UNDO);
    }
}
