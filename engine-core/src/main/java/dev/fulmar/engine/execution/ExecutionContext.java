package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.operator.MeasuredPlace;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.spi.DataAccess;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.userfunction.FunctionTime;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the compiled statements of one partition share: its tables, partition plan, memory, row budget and
 * transaction time. One thread at a time; statements run one after another.
 */
public final class ExecutionContext {
    /** Until {@link #measureWith} says otherwise, nothing takes any time. */
    private static final Clock TIMELESS = new Clock() {
        @Override
        public long monotonicNanos() {
            return 0;
        }

        @Override
        public long wallMicros() {
            return 0;
        }
    };

    private final @Nullable PartitionStorage storage;
    private final int partition;
    private final long intermediateLimitBytes;
    private final RowBudget budget;
    private final ScratchMemory temporary;
    private final ScratchMemory retained;
    private final SequenceCounters counters = new SequenceCounters(this);
    private PartitionPlan plan;
    private @Nullable Guarded guarded;
    private boolean isFragment;
    private final FunctionTime functionTime = new FunctionTime();
    private long transactionMicros;
    private MeasuredPlace place;

    /**
     * @param plan says what belongs to the partition; see {@link #setPartitionPlan}
     * @param intermediateLimitBytes what one statement may take for rows that it keeps while it runs
     * @param budgetCheck called every thousand rows or so; throws to end the statement
     */
    public ExecutionContext(
            PartitionStorage storage,
            PartitionPlan plan,
            int partition,
            long intermediateLimitBytes,
            Runnable budgetCheck) {
        this(storage, plan, partition, new RowBudget(budgetCheck), intermediateLimitBytes);
    }

    private ExecutionContext(
            @Nullable PartitionStorage storage,
            PartitionPlan plan,
            int partition,
            RowBudget budget,
            long intermediateLimitBytes) {
        this.storage = storage;
        this.plan = plan;
        this.partition = partition;
        this.budget = budget;
        this.intermediateLimitBytes = intermediateLimitBytes;
        place = new MeasuredPlace(partition, TIMELESS);
        temporary = new ScratchMemory(intermediateLimitBytes);
        retained = new ScratchMemory(intermediateLimitBytes);
    }

    /** A context in which only {@link StatementMerge}s run. */
    public static ExecutionContext withoutPartition(long intermediateLimitBytes, Runnable budgetCheck) {
        return new ExecutionContext(null, PartitionPlan.hash(1), 0, new RowBudget(budgetCheck), intermediateLimitBytes);
    }

    /** Sets the value of CURRENT_TIMESTAMP from now on, in microseconds since the epoch. */
    public void setTransactionMicros(long micros) {
        transactionMicros = micros;
    }

    /**
     * From now on, until something else is said, calls of functions of users end by then, on the partition's clock.
     */
    public void endFunctionsBy(long nanos) {
        functionTime.endBy(nanos);
    }

    /** The same for what runs again: a call may take all the time until then. */
    public void endFunctionsPatientlyBy(long nanos) {
        functionTime.endPatientlyBy(nanos);
    }

    FunctionTime functionTime() {
        return functionTime;
    }

    /** Sets the clock that times the operators of an EXPLAIN ANALYZE, for statements that are compiled from now on. */
    public void measureWith(Clock clock) {
        place = new MeasuredPlace(partition, clock);
    }

    MeasuredPlace place() {
        return place;
    }

    public long transactionMicros() {
        return transactionMicros;
    }

    /** Follows a new version of the plan. */
    public void setPartitionPlan(PartitionPlan newPlan) {
        plan = newPlan;
    }

    public PartitionPlan partitionPlan() {
        return plan;
    }

    /** Asks the guard before data is read or written; null while nothing moves, which is as usual. */
    public void guardData(@Nullable DataAccess access) {
        guarded = access == null ? null : new Guarded(access);
    }

    /** Whether data moves. */
    public boolean isGuarded() {
        return guarded != null;
    }

    /** Whether what runs from now on is a part of a transaction over several partitions. */
    public void runsFragment(boolean isPart) {
        isFragment = isPart;
    }

    /** The guard to ask; null while nothing moves. Each statement and each written row looks. */
    public @Nullable DataAccess dataAccess() {
        Guarded now = guarded;
        return now == null || (isFragment && !now.access().guardsFragments()) ? null : now.access();
    }

    /** The state in which a guard is installed, for as long as data moves. */
    private record Guarded(DataAccess access) {}

    public int partition() {
        return partition;
    }

    @Nullable PartitionStorage storage() {
        return storage;
    }

    PartitionStorage requiredStorage() {
        if (storage == null) {
            throw Invariants.breach("statements that read or write tables run on a partition");
        }
        return storage;
    }

    long intermediateLimitBytes() {
        return intermediateLimitBytes;
    }

    SequenceCounters counters() {
        return counters;
    }

    RowBudget budget() {
        return budget;
    }

    ScratchMemory temporary() {
        return temporary;
    }

    ScratchMemory retained() {
        return retained;
    }
}
