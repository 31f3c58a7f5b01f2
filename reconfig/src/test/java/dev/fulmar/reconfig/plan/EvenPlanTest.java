package dev.fulmar.reconfig.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EvenPlanTest {
    private static BigInteger width(PartitionPlan plan, int partition) {
        return plan.rangesOf(partition).stream()
                .filter(range -> range.space() == KeySpace.HASH)
                .map(EvenPlanTest::width)
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static BigInteger width(KeyRange range) {
        return BigInteger.valueOf(range.last())
                .subtract(BigInteger.valueOf(range.first()))
                .add(BigInteger.ONE);
    }

    private static BigInteger moved(PartitionPlan earlier, PartitionPlan later) {
        return PlanDifference.between(earlier, later).stream()
                .map(move -> width(move.range()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static BigInteger shareOf(int partitions) {
        return BigInteger.TWO.pow(64).divide(BigInteger.valueOf(partitions));
    }

    @Test
    void sparePartitionsGetTheirShareAndNothingElseMoves() {
        PartitionPlan earlier = PartitionPlan.hash(3, 1);
        PartitionPlan even = EvenPlan.of(earlier, 4);
        for (int partition = 0; partition < 4; partition++) {
            assertThat(width(even, partition)).isEqualTo(shareOf(4));
        }
        assertThat(moved(earlier, even)).isEqualTo(shareOf(4));
    }

    @Test
    void partitionsThatAreToHaveNoKeysKeepAPlaceForSequences() {
        PartitionPlan earlier = PartitionPlan.hash(4);
        PartitionPlan even = EvenPlan.of(earlier, 3);
        assertThat(width(even, 3)).isEqualTo(BigInteger.ONE);
        for (int partition = 0; partition < 3; partition++) {
            assertThat(width(even, partition).subtract(shareOf(3)).abs()).isLessThanOrEqualTo(BigInteger.TWO);
        }
        assertThat(EvenPlan.of(even, 3).hasSameOwners(even)).isTrue();
    }

    @Test
    void anEvenPlanStaysAsItIs() {
        PartitionPlan earlier = PartitionPlan.hash(5);
        assertThat(PlanDifference.between(earlier, EvenPlan.of(earlier, 5))).isEmpty();
    }

    @Test
    void anyPlanBecomesEvenAndIntegersStay() {
        SplittableRandom random = new SplittableRandom(3);
        for (int trial = 0; trial < 200; trial++) {
            int partitions = 1 + random.nextInt(9);
            PartitionPlan plan = trial % 2 == 0 ? PartitionPlan.hash(partitions) : rising(partitions);
            for (int change = 0; change < random.nextInt(30); change++) {
                long one = random.nextLong();
                long other = random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong();
                plan = plan.with(
                        new KeyRange(KeySpace.HASH, Math.min(one, other), Math.max(one, other)),
                        random.nextInt(partitions));
            }
            int used = 1 + random.nextInt(partitions);
            PartitionPlan even = EvenPlan.of(plan, used);
            assertThat(even.integers()).isEqualTo(plan.integers());
            BigInteger places = BigInteger.valueOf(partitions);
            for (int partition = 0; partition < partitions; partition++) {
                BigInteger share = partition < used ? shareOf(used) : BigInteger.ZERO;
                assertThat(width(even, partition).subtract(share).abs())
                        .as("partition %d of %d, plan %d", partition, used, trial)
                        .isLessThanOrEqualTo(places);
            }
        }
    }

    private static PartitionPlan rising(int partitions) {
        long[] first = new long[partitions];
        for (int i = 0; i < partitions; i++) {
            first[i] = 10L * i;
        }
        return PartitionPlan.ranges(first);
    }

    @Test
    void keysGoToPartitionsThatThereAre() {
        assertThatThrownBy(() -> EvenPlan.of(PartitionPlan.hash(2), 3)).hasMessageContaining("the database has 2");
        assertThatThrownBy(() -> EvenPlan.of(PartitionPlan.hash(2), 0)).hasMessageContaining("0 partitions");
    }
}
