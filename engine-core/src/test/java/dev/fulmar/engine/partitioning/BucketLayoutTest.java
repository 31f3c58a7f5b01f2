package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class BucketLayoutTest {
    private static final BucketBounds BOUNDS =
            PartitionPlan.ranges(0, 1_000).bucketsOf(0, 2).bounds();

    /** Form 2 of 2026-11-26: two staged buckets beside two of the partition. */
    private static final String STORED =
            "0202000000070000000000000004000000000000000001000009000000000000000500000002000000000000"
                    + "00010200000000000000000000800000000000000000000000c00100000002000000000000000000008000000000f4010000000000c001000000";

    private static BucketLayout layout() {
        return new BucketLayout(
                BOUNDS, List.of(new BucketLayout.Staged(9, 5, 2), new BucketLayout.Staged(7, 4, 1L << 40)));
    }

    @Test
    void aLayoutThatIsStoredIsReadAgain() {
        assertThat(BucketLayout.of(layout().toBytes())).isEqualTo(layout());
        assertThat(layout().staged()).extracting(BucketLayout.Staged::move).containsExactly(7L, 9L);
        assertThat(layout().toBytes()).isEqualTo(HexFormat.of().parseHex(STORED));
    }

    /** So a version that knows no staged buckets reads it. */
    @Test
    void aLayoutWithoutStagedBucketsHasTheFormOfTheBounds() {
        BucketLayout plain = new BucketLayout(BOUNDS, List.of());
        assertThat(plain.toBytes()).isEqualTo(BOUNDS.toBytes());
        assertThat(BucketLayout.of(BOUNDS.toBytes())).isEqualTo(plain);
    }

    @Test
    void aNumberIsOfOneBucket() {
        for (int number : new int[] {-1, 0, BucketBounds.MOST_BUCKETS}) {
            assertThatThrownBy(() -> new BucketLayout(BOUNDS, List.of(new BucketLayout.Staged(1, number, 0))))
                    .isInstanceOfSatisfying(
                            FulmarException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIGURATION));
        }
    }

    @Test
    void damagedBytesAreRefused() {
        byte[] good = layout().toBytes();
        for (int length = 0; length < good.length; length++) {
            refused(Arrays.copyOf(good, length));
        }
        byte[] twice = good.clone();
        twice[1 + 4 + 8] = 5;
        refused(twice);
    }

    private static void refused(byte[] bytes) {
        assertThatThrownBy(() -> BucketLayout.of(bytes))
                .isInstanceOfSatisfying(
                        FulmarException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
    }
}
