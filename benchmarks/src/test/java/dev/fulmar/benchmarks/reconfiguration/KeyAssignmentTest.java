package dev.fulmar.benchmarks.reconfiguration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.benchmarks.run.LocalDatabase;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.reconfig.plan.PlanDocument;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class KeyAssignmentTest {
    private static final int PARTITIONS = 8;
    private static final long KEYS = 1_000;
    private static final long END = KEYS + 1;

    private final KeyAssignment even = KeyAssignment.even(PARTITIONS, KEYS);

    /** Keys of each partition among those that there are. */
    private static long[] counts(KeyAssignment assignment) {
        long[] counts = new long[PARTITIONS];
        LongStream.range(1, END).forEach(key -> counts[assignment.ownerOf(key)]++);
        return counts;
    }

    private static PartitionPlan initialPlan() {
        String setting = LocalDatabase.ranges(PARTITIONS, (int) KEYS);
        long[] firstKeys = Arrays.stream(setting.substring("range:".length()).split(",", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        return PartitionPlan.ranges(firstKeys);
    }

    private static void assertSame(KeyAssignment assignment, PartitionPlan plan) {
        for (long key = -2; key < END + 100; key++) {
            assertThat(plan.partitionOf(key)).as("key %d", key).isEqualTo(assignment.ownerOf(key));
        }
    }

    @Test
    void beginsAsTheClusterDoes() {
        assertSame(even, initialPlan());
        assertThat(counts(even)).containsOnly(KEYS / PARTITIONS);
    }

    @Test
    void hotKeysAreDealtOutOneByOne() {
        KeyAssignment spread = even.spread(1, 100);

        assertSame(spread, PlanDocument.read(spread.document()).on(initialPlan()));
        for (int i = 0; i < 100; i++) {
            assertThat(spread.ownerOf(1 + i)).isEqualTo(i % PARTITIONS);
        }
        assertThat(spread.ownerOf(101)).isZero();
        assertThat(even.movedTo(spread, END)).isEqualTo(87);
    }

    @Test
    void theOtherPartitionsGetEquallyManyKeysOfThoseThatLeave() {
        for (List<Integer> leaving : List.of(List.of(0, 4), List.of(3, 7), List.of(6, 7))) {
            KeyAssignment left = even.without(leaving, END);

            assertSame(left, PlanDocument.read(left.document()).on(initialPlan()));
            long[] counts = counts(left);
            IntStream.range(0, PARTITIONS).forEach(partition -> {
                if (leaving.contains(partition)) {
                    assertThat(counts[partition]).isZero();
                } else {
                    assertThat(counts[partition]).isBetween(166L, 167L);
                }
            });
            assertThat(leaving).doesNotContain(left.ownerOf(Long.MIN_VALUE), left.ownerOf(Long.MAX_VALUE));
        }
    }

    @Test
    void eachPartitionLosesATenth() {
        KeyAssignment shuffled = even.shuffled(1, END);

        assertSame(shuffled, PlanDocument.read(shuffled.document()).on(initialPlan()));
        assertThat(even.movedTo(shuffled, END)).isBetween(KEYS / 10 - PARTITIONS, KEYS / 10);
        for (long count : counts(shuffled)) {
            assertThat(count).isBetween(124L, 126L);
        }
    }
}
