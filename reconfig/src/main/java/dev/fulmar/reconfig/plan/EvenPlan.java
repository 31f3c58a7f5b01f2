package dev.fulmar.reconfig.plan;

import dev.fulmar.engine.execution.SequencePlaces;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Makes a plan by which the first partitions have equal shares of the hashes, and the others none. As few hashes move
 * as that allows. Ranges of integers stay: where a plan divides those, only its author knows how many keys lie in one.
 */
public final class EvenPlan {
    private static final BigInteger ALL_HASHES = BigInteger.TWO.pow(Long.SIZE);

    private EvenPlan() {}

    /**
     * The plan with even shares of the hashes.
     *
     * @param partitions how many partitions are to have keys, the first ones
     * @throws FulmarException {@link ErrorCode#INVALID_CONFIGURATION} if the plan has fewer partitions
     */
    public static PartitionPlan of(PartitionPlan earlier, int partitions) {
        if (partitions < 1 || partitions > earlier.partitionCount()) {
            throw EntryText.refused(
                    "keys cannot go to " + partitions + " partitions: the database has " + earlier.partitionCount());
        }
        if (isEven(earlier, partitions)) {
            return earlier;
        }
        List<BigInteger> lacking = new ArrayList<>();
        Deque<KeyRange> free = new ArrayDeque<>();
        for (int partition = 0; partition < earlier.partitionCount(); partition++) {
            lacking.add(release(hashesOf(earlier, partition), share(partition, partitions), free));
        }
        PartitionPlan plan = earlier;
        for (int partition = 0; partition < partitions; partition++) {
            BigInteger open = lacking.get(partition);
            while (open.signum() > 0) {
                KeyRange next = free.removeFirst();
                if (width(next).compareTo(open) > 0) {
                    long last = next.first() + open.longValue() - 1;
                    free.addFirst(new KeyRange(KeySpace.HASH, last + 1, next.last()));
                    next = new KeyRange(KeySpace.HASH, next.first(), last);
                }
                plan = plan.with(next, partition);
                open = open.subtract(width(next));
            }
        }
        return SequencePlaces.keep(earlier, plan);
    }

    /** Whether shares differ by single hashes only, as those of places of sequences, for which no key has to move. */
    private static boolean isEven(PartitionPlan plan, int partitions) {
        BigInteger slack = BigInteger.valueOf(plan.partitionCount());
        for (int partition = 0; partition < plan.partitionCount(); partition++) {
            BigInteger owned =
                    hashesOf(plan, partition).stream().map(EvenPlan::width).reduce(BigInteger.ZERO, BigInteger::add);
            if (owned.subtract(share(partition, partitions)).abs().compareTo(slack) > 0) {
                return false;
            }
        }
        return true;
    }

    /** How many hashes the partition gets: the first ones have one more where it does not come out even. */
    private static BigInteger share(int partition, int partitions) {
        BigInteger[] shares = ALL_HASHES.divideAndRemainder(BigInteger.valueOf(partitions));
        if (partition >= partitions) {
            return BigInteger.ZERO;
        }
        return partition < shares[1].intValue() ? shares[0].add(BigInteger.ONE) : shares[0];
    }

    private static List<KeyRange> hashesOf(PartitionPlan plan, int partition) {
        return plan.rangesOf(partition).stream()
                .filter(range -> range.space() == KeySpace.HASH)
                .toList();
    }

    /** Frees what the partition has above its share, from behind; returns how many hashes it lacks. */
    private static BigInteger release(List<KeyRange> owned, BigInteger share, Deque<KeyRange> free) {
        BigInteger open = share;
        for (KeyRange range : owned) {
            if (open.signum() == 0) {
                free.addLast(range);
            } else if (width(range).compareTo(open) > 0) {
                free.addLast(new KeyRange(KeySpace.HASH, range.first() + open.longValue(), range.last()));
                open = BigInteger.ZERO;
            } else {
                open = open.subtract(width(range));
            }
        }
        return open;
    }

    private static BigInteger width(KeyRange range) {
        return BigInteger.valueOf(range.last())
                .subtract(BigInteger.valueOf(range.first()))
                .add(BigInteger.ONE);
    }
}
