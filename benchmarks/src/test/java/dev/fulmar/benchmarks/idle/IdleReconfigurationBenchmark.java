package dev.fulmar.benchmarks.idle;

import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.partitioning.BucketBounds;
import dev.fulmar.engine.partitioning.BucketMap;
import dev.fulmar.engine.partitioning.KeyRange;
import dev.fulmar.engine.partitioning.KeySpace;
import dev.fulmar.engine.partitioning.PartitionPlan;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Work of a call for reconfigurations while none is under way. A call of one statement that writes one row asks for the
 * partition's guard twice. It looks its key up in the plan, which names the partition, and in the bounds of buckets.
 * Former reconfigurations leave more ranges there. The costs are the differences to {@link #key}, which draws the key
 * alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(3)
public class IdleReconfigurationBenchmark {
    private static final int KEYS = 1 << 20;
    private static final int PARTITIONS = 2;
    private static final long SCRATCH_BYTES = 1 << 20;

    private final ExecutionContext context = ExecutionContext.withoutPartition(SCRATCH_BYTES, () -> {});
    private long state = 1;

    /** A plan, and bounds of a partition's buckets, after so many hot tuples have moved. */
    @State(Scope.Thread)
    public static class Places {
        /** Keys that moved on their own; each makes two more ranges. */
        @Param({"0", "1", "100", "1000"})
        private int movedKeys;

        private PartitionPlan plan = PartitionPlan.hash(PARTITIONS);
        private BucketMap buckets = BucketMap.single();

        /** Moves them. */
        @Setup
        public void move() {
            plan = PartitionPlan.ranges(0, KEYS);
            for (int moved = 0; moved < movedKeys; moved++) {
                long key = (long) KEYS * moved / movedKeys + 1;
                plan = plan.with(new KeyRange(KeySpace.INTEGER, key, key), 1);
            }
            buckets = BucketMap.single();
            if (movedKeys > 0) { // they left in a bucket of their own, and others came
                BucketBounds bounds = plan.bucketsOf(0, 1).bounds();
                buckets.become(bounds.cut(KeySpace.INTEGER, 0, KEYS / 2, 1));
            }
        }
    }

    private long nextKey() {
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
        return state & (KEYS - 1);
    }

    /** Draws a key, as all others do. */
    @Benchmark
    public long key() {
        return nextKey();
    }

    /** Asks for the guard of the partition's data, for the statement and for the row. */
    @Benchmark
    public void guard(Blackhole sink) {
        sink.consume(nextKey());
        sink.consume(context.dataAccess());
        sink.consume(context.dataAccess());
    }

    /** Finds the partition of a key. */
    @Benchmark
    public void partition(Places places, Blackhole sink) {
        sink.consume(places.plan.partitionOf(nextKey()));
    }

    /** Finds the bucket of a key. */
    @Benchmark
    public void bucket(Places places, Blackhole sink) {
        sink.consume(places.buckets.bucketOf(nextKey()));
    }

    /** Runs all of them, and counts allocations. */
    public static void main(String[] arguments) throws RunnerException {
        new Runner(new OptionsBuilder()
                        .include(IdleReconfigurationBenchmark.class.getName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run();
    }
}
