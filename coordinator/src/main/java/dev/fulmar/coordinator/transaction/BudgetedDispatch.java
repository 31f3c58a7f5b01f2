package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.procedure.invocation.FailureSignal;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.List;
import java.util.SortedMap;

/**
 * A dispatch that charges the partitions' results to the budget of requests under way. The charge ends with the next
 * batch or the attempt. If the budget is exhausted the attempt ends, whatever its procedure would make of that. For the
 * transaction's fiber.
 */
final class BudgetedDispatch implements FragmentDispatch, AutoCloseable {
    /** Less than that is not worth counting. */
    private static final long LEAST_BYTES = 4 << 10;

    private final FragmentDispatch partitions;
    private final ByteBudget underWay;
    private long held;

    BudgetedDispatch(FragmentDispatch partitions, ByteBudget underWay) {
        this.partitions = partitions;
        this.underWay = underWay;
    }

    @Override
    public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
        close();
        Outcome outcome = partitions.run(work);
        long bytes = 0;
        for (List<FragmentResult> results : outcome.results().values()) {
            for (FragmentResult result : results) {
                bytes += result.rows().length;
            }
        }
        if (bytes >= LEAST_BYTES) {
            if (!underWay.take(bytes)) {
                throw new FailureSignal(underWay.refuse());
            }
            held = bytes;
        }
        return outcome;
    }

    @Override
    public void undoFrom(int firstStatement) {
        partitions.undoFrom(firstStatement);
    }

    @Override
    public int nextStatement() {
        return partitions.nextStatement();
    }

    @Override
    public void close() {
        long bytes = held;
        if (bytes > 0) {
            held = 0;
            underWay.giveBack(bytes);
        }
    }
}
