package dev.fulmar.reconfig.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.random.SeededRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class BucketChoiceTest {
    private static final PartitionPlan PLAN = PartitionPlan.ranges(0, 100, 200);

    private static BucketBounds bounds(PartitionPlan plan, int partition, int buckets) {
        return plan.bucketsOf(partition, buckets).bounds();
    }

    private static Optional<BucketChoice> choice(
            BucketBounds bounds, List<KeyRange> owned, PartitionPlan target, int partition) {
        return BucketChoice.of(new BucketCounts(bounds, owned, Map.of()), target, partition, Set.of());
    }

    @Test
    void theBucketWithTheFewestRowsMovesFirst() {
        PartitionPlan target = PLAN.with(new KeyRange(KeySpace.INTEGER, 0, 59), 1);
        BucketBounds bounds =
                bounds(PLAN, 0, 1).assign(KeySpace.INTEGER, 0, 39, 1).assign(KeySpace.INTEGER, 40, 59, 2);
        for (int small = 1; small <= 2; small++) {
            Map<Integer, Long> rows = new TreeMap<>(Map.of(0, 1L, 1, 500L, 2, 500L));
            rows.put(small, 499L);
            BucketChoice choice = BucketChoice.of(new BucketCounts(bounds, PLAN.rangesOf(0), rows), target, 0, Set.of())
                    .orElseThrow();
            assertThat(choice).isEqualTo(new BucketChoice.Move(small, 1, bounds.rangesOf(small)));
        }
    }

    @Test
    void noKeysThatLeaveMeanNoChoice() {
        assertThat(choice(bounds(PLAN, 0, 4), PLAN.rangesOf(0), PLAN, 0)).isEmpty();
    }

    /** Also where keys of both have to be cut from one bucket. */
    @Test
    void nothingMovesToADestinationThatIsSetAside() {
        PartitionPlan target =
                PLAN.with(new KeyRange(KeySpace.INTEGER, 0, 39), 1).with(new KeyRange(KeySpace.INTEGER, 40, 99), 2);
        BucketBounds bounds = bounds(PLAN, 0, 1).assign(KeySpace.INTEGER, 0, 39, 1);
        bounds = bounds.assign(KeySpace.INTEGER, 40, 99, 2);
        BucketCounts apart = new BucketCounts(bounds, PLAN.rangesOf(0), Map.of(0, 90L, 1, 1L, 2, 9L));
        assertThat(BucketChoice.of(apart, target, 0, Set.of()))
                .hasValueSatisfying(first -> assertThat(first)
                        .isInstanceOfSatisfying(
                                BucketChoice.Move.class,
                                move -> assertThat(move.to()).isEqualTo(1)));
        assertThat(BucketChoice.of(apart, target, 0, Set.of(1)))
                .hasValueSatisfying(first -> assertThat(first)
                        .isInstanceOfSatisfying(
                                BucketChoice.Move.class,
                                move -> assertThat(move.to()).isEqualTo(2)));
        assertThat(BucketChoice.of(apart, target, 0, Set.of(1, 2))).isEmpty();
        BucketBounds both = bounds(PLAN, 0, 1).assign(KeySpace.INTEGER, 0, 99, 1);
        BucketCounts together = new BucketCounts(both, PLAN.rangesOf(0), Map.of());
        assertThat(BucketChoice.of(together, target, 0, Set.of(1)))
                .contains(new BucketChoice.Separate(1, List.of(new KeyRange(KeySpace.INTEGER, 40, 99))));
    }

    @Test
    void keysInTheMiddleAreTakenOutFirst() {
        KeyRange range = new KeyRange(KeySpace.INTEGER, 40, 49);
        PartitionPlan target = PLAN.with(range, 1);
        BucketBounds bounds = bounds(PLAN, 0, 1);
        Optional<BucketChoice> first = choice(bounds, PLAN.rangesOf(0), target, 0);
        assertThat(first).contains(new BucketChoice.Separate(0, List.of(range)));
        bounds = bounds.assign(List.of(range), 1);
        assertThat(choice(bounds, PLAN.rangesOf(0), target, 0)).contains(new BucketChoice.Move(1, 1, List.of(range)));
    }

    @Test
    void allBucketsWithKeysThatLeaveAreNamed() {
        BucketBounds bounds =
                bounds(PLAN, 0, 1).assign(KeySpace.INTEGER, 40, 49, 1).assign(KeySpace.INTEGER, 50, 59, 2);
        PartitionPlan target = PLAN.with(new KeyRange(KeySpace.INTEGER, 45, 70), 1);
        assertThat(BucketChoice.leaving(bounds, PLAN.rangesOf(0), target, 0)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(BucketChoice.leaving(
                        bounds, PLAN.rangesOf(0), PLAN.with(new KeyRange(KeySpace.INTEGER, 50, 50), 1), 0))
                .containsExactly(2);
        assertThat(BucketChoice.leaving(bounds, PLAN.rangesOf(0), PLAN, 0)).isEmpty();
    }

    /** A partition that is to get other keys may lose all that it has, up to the last position. */
    @Test
    void thePartitionsOnlyBucketLeavesAnotherBehind() {
        KeyRange top = KeyRange.from(KeySpace.HASH, Long.MAX_VALUE - 1_000);
        PartitionPlan all = PartitionPlan.hash(2);
        PartitionPlan plan =
                all.with(KeyRange.from(KeySpace.HASH, Long.MIN_VALUE), 0).with(top, 1);
        PartitionPlan target = plan.with(top, 0).with(new KeyRange(KeySpace.HASH, 0, 9), 1);
        BucketBounds bounds = bounds(plan, 1, 1);
        BucketChoice first = choice(bounds, plan.rangesOf(1), target, 1).orElseThrow();
        List<KeyRange> below = List.of(new KeyRange(KeySpace.HASH, Long.MIN_VALUE, top.first() - 1));
        assertThat(first).isEqualTo(new BucketChoice.Separate(0, below));
        assertThat(choice(bounds.assign(below, 1), plan.rangesOf(1), target, 1))
                .contains(new BucketChoice.Move(0, 0, List.of(top)));
    }

    /** Cuts and moves come to an end, at which each partition has what the target gives it. */
    @RepeatedTest(200)
    void choicesLeadToTheTarget(RepetitionInfo repetition) {
        SeededRandom random = new SeededRandom(repetition.getCurrentRepetition());
        boolean isDivided = random.nextInt(2) == 0;
        PartitionPlan plan = isDivided ? PLAN : PartitionPlan.hash(3);
        PartitionPlan target = plan;
        for (int change = 1 + random.nextInt(5); change > 0; change--) {
            KeySpace space = isDivided && random.nextInt(3) > 0 ? KeySpace.INTEGER : KeySpace.HASH;
            long first = space == KeySpace.INTEGER ? random.nextInt(300) - 20 : random.nextLong();
            long most = random.nextInt(2) == 0 ? 0 : random.nextLong() >>> (1 + random.nextInt(62));
            long last = first > Long.MAX_VALUE - most ? Long.MAX_VALUE : first + most;
            target = target.with(new KeyRange(space, first, last), random.nextInt(3));
        }
        List<BucketBounds> bounds = new ArrayList<>();
        for (int partition = 0; partition < 3; partition++) {
            bounds.add(bounds(plan, partition, 1 + random.nextInt(4)));
        }
        int steps = 0;
        for (int source = 0; source < 3; source++) {
            Optional<BucketChoice> choice = choice(bounds.get(source), plan.rangesOf(source), target, source);
            while (choice.isPresent()) {
                assertThat(steps++).isLessThan(300);
                BucketBounds before = bounds.get(source);
                switch (choice.get()) {
                    case BucketChoice.Separate separate -> {
                        int number = free(before);
                        BucketBounds after = before.assign(separate.ranges(), number);
                        assertThat(after.buckets()).contains(separate.bucket(), number);
                        bounds.set(source, after);
                    }
                    case BucketChoice.Move move -> {
                        assertThat(before.buckets()).hasSizeGreaterThan(1);
                        assertThat(move.ranges())
                                .containsExactlyInAnyOrderElementsOf(
                                        KeyRange.common(plan.rangesOf(source), before.rangesOf(move.bucket())));
                        bounds.set(source, before.without(move.bucket()));
                        int number = free(bounds.get(move.to()));
                        for (KeyRange range : move.ranges()) {
                            plan = plan.with(range, move.to());
                        }
                        bounds.set(move.to(), bounds.get(move.to()).assign(move.ranges(), number));
                    }
                }
                choice = choice(bounds.get(source), plan.rangesOf(source), target, source);
            }
        }
        for (int partition = 0; partition < 3; partition++) {
            assertThat(new HashSet<>(plan.rangesOf(partition))).isEqualTo(new HashSet<>(target.rangesOf(partition)));
        }
    }

    /** However many hot tuples there are, and destinations, the rows that stay are looked at once. */
    @Test
    void singleKeysLeaveABucketTogether() {
        PartitionPlan target = PLAN;
        BucketBounds bounds = bounds(PLAN, 0, 1);
        for (int key = 1; key < 100; key += 2) {
            target = target.with(new KeyRange(KeySpace.INTEGER, key, key), key % 4 == 1 ? 1 : 2);
        }
        bounds = separated(bounds, target, 0, 50);
        bounds = separated(bounds, target, 1, 25);
        assertThat(choice(bounds, PLAN.rangesOf(0), target, 0))
                .hasValueSatisfying(choice -> assertThat(choice).isInstanceOf(BucketChoice.Move.class));
    }

    private static BucketBounds separated(BucketBounds bounds, PartitionPlan target, int bucket, int ranges) {
        BucketChoice choice = choice(bounds, PLAN.rangesOf(0), target, 0).orElseThrow();
        if (choice instanceof BucketChoice.Separate separate) {
            assertThat(separate.bucket()).isEqualTo(bucket);
            assertThat(separate.ranges()).hasSize(ranges);
            return bounds.assign(separate.ranges(), free(bounds));
        }
        throw new AssertionError("a bucket is divided, not " + choice);
    }

    private static int free(BucketBounds bounds) {
        int number = 0;
        while (bounds.buckets().contains(number)) {
            number++;
        }
        return number;
    }
}
