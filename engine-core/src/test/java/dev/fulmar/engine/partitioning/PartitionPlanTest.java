package dev.fulmar.engine.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PartitionPlanTest {
    @Test
    void manyKeysSpreadEvenly() {
        for (int partitions : new int[] {1, 2, 3, 7, 12, 64}) {
            PartitionPlan plan = PartitionPlan.hash(partitions);
            int[] counts = new int[partitions];
            for (long key = 0; key < 100_000; key++) {
                counts[plan.partitionOf(key)]++;
            }
            for (int count : counts) {
                assertThat((double) count * partitions / 100_000).isBetween(0.85, 1.15);
            }
        }
    }

    @Test
    void doublingThePartitionsDividesEachInTwo() {
        PartitionPlan four = PartitionPlan.hash(4);
        PartitionPlan eight = PartitionPlan.hash(8);
        for (long key = 0; key < 10_000; key++) {
            assertThat(eight.partitionOf(key) / 2).isEqualTo(four.partitionOf(key));
        }
    }

    @Test
    void rangesCutTheIntegersThemselves() {
        PartitionPlan plan = PartitionPlan.ranges(1, 3, 4, 100);
        assertThat(plan.partitionCount()).isEqualTo(4);
        assertThat(plan.partitionOf(Long.MIN_VALUE)).isZero();
        assertThat(plan.partitionOf(2)).isZero();
        assertThat(plan.partitionOf(3)).isEqualTo(1);
        assertThat(plan.partitionOf(99)).isEqualTo(2);
        assertThat(plan.partitionOf(100)).isEqualTo(3);
        assertThat(plan.partitionOf(Long.MAX_VALUE)).isEqualTo(3);
    }

    @Test
    void manyRangesAreFoundByBisection() {
        long[] first = new long[100];
        for (int i = 0; i < first.length; i++) {
            first[i] = 10L * i;
        }
        PartitionPlan plan = PartitionPlan.ranges(first);
        for (int key = 0; key < 1000; key++) {
            assertThat(plan.partitionOf(key)).isEqualTo(key / 10);
        }
    }

    @Test
    void rangesMustRise() {
        assertThatThrownBy(() -> PartitionPlan.ranges(1, 5, 5))
                .isInstanceOf(FulmarException.class)
                .extracting(failure -> ((FulmarException) failure).code())
                .isEqualTo(ErrorCode.INVALID_CONFIGURATION);
    }

    @Test
    void bytesHashAlikeOnHeapAndOutside() {
        PartitionPlan plan = PartitionPlan.hash(16);
        BucketMap buckets = plan.bucketsOf(3, 4);
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocate(64).address();
            for (int i = 0; i < 1000; i++) {
                byte[] key = ("key " + i).getBytes(StandardCharsets.UTF_8);
                OffHeap.copy(key, 0, address, key.length);
                assertThat(plan.partitionOf(address, key.length)).isEqualTo(plan.partitionOf(key, 0, key.length));
                assertThat(buckets.bucketOf(address, key.length)).isEqualTo(buckets.bucketOf(key, 0, key.length));
            }
        }
    }

    @Test
    void bucketsDivideAPartitionEvenly() {
        PartitionPlan plan = PartitionPlan.hash(5);
        BucketMap buckets = plan.bucketsOf(2, 4);
        assertThat(buckets.numberLimit()).isEqualTo(4);
        int[] counts = new int[4];
        int all = 0;
        for (long key = 0; key < 100_000; key++) {
            if (plan.partitionOf(key) == 2) {
                counts[buckets.bucketOf(key)]++;
                all++;
            }
        }
        for (int count : counts) {
            assertThat(4.0 * count / all).isBetween(0.85, 1.15);
        }
    }

    @Test
    void aRangeOfOneKeyIsNotDivided() {
        BucketMap buckets = PartitionPlan.ranges(1, 2, 3).bucketsOf(1, 4);
        assertThat(buckets.bucketOf(2)).isZero();
        BucketMap divided = PartitionPlan.ranges(0, 100, 200).bucketsOf(1, 2);
        assertThat(divided.bucketOf(149)).isZero();
        assertThat(divided.bucketOf(150)).isEqualTo(1);
    }
}
