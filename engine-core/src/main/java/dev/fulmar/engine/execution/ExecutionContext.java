package dev.fulmar.engine.execution;

import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.check.Invariants;
import org.jspecify.annotations.Nullable;

/** What the statements of one partition run in. One thread at a time; statements run one after another. */
public final class ExecutionContext {
    private final @Nullable PartitionStorage storage;
    private final int partition;
    private final long intermediateLimitBytes;
    private final RowBudget budget;
    private final ScratchMemory temporary;
    private final ScratchMemory retained;
    private final SequenceCounters counters = new SequenceCounters(this);
    private PartitionPlan plan;
    private long transactionMicros;

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
        temporary = new ScratchMemory(intermediateLimitBytes);
        retained = new ScratchMemory(intermediateLimitBytes);
    }

    /** A context in which only {@link StatementMerge}s run. */
    public static ExecutionContext withoutPartition(long intermediateLimitBytes, Runnable budgetCheck) {
        return new ExecutionContext(null, PartitionPlan.hash(1), 0, new RowBudget(budgetCheck), intermediateLimitBytes);
    }

    /** What CURRENT_TIMESTAMP gives from now on, in microseconds since the epoch. */
    public void setTransactionMicros(long micros) {
        transactionMicros = micros;
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
