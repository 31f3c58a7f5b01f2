package dev.fulmar.coordinator.participation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * All partitions of a node keep their newest records on its heap: 64 MB each ended nodes of 256 MB with
 * OutOfMemoryError.
 */
class ParticipationSettingsTest {
    private static final long MEBIBYTE = 1 << 20;

    @Test
    void recordsOfAllPartitionsHaveAnEighthOfASmallHeap() {
        for (int partitions : new int[] {1, 2, 4, 16}) {
            long each = ParticipationSettings.ofHeap(256 * MEBIBYTE, partitions).retainedBytes();
            assertThat(each * partitions).isEqualTo(32 * MEBIBYTE);
        }
    }

    @Test
    void aLargeHeapKeepsNoMoreThanBefore() {
        assertThat(ParticipationSettings.ofHeap(64L << 30, 6)).isEqualTo(ParticipationSettings.DEFAULTS);
    }

    @Test
    void eachPartitionKeepsSome() {
        assertThat(ParticipationSettings.ofHeap(64 * MEBIBYTE, 1000).retainedBytes())
                .isEqualTo(MEBIBYTE);
    }
}
