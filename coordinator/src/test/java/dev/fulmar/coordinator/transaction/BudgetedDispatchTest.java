package dev.fulmar.coordinator.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.procedure.invocation.FailureSignal;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BudgetedDispatchTest {
    private final ByteBudget budget = new ByteBudget(1 << 20);
    private int resultBytes = 100_000;

    private final FragmentDispatch partitions = new FragmentDispatch() {
        @Override
        public Outcome run(SortedMap<PartitionId, List<FragmentWork>> work) {
            TreeMap<PartitionId, List<FragmentResult>> results = new TreeMap<>();
            for (int partition = 0; partition < 3; partition++) {
                results.put(new PartitionId(partition), List.of(new FragmentResult(new byte[resultBytes], 0)));
            }
            return new Outcome(results, null);
        }

        @Override
        public void undoFrom(int firstStatement) {}

        @Override
        public int nextStatement() {
            return 0;
        }
    };

    @Test
    void theResultsOfTheLastBatchCountUntilTheEnd() {
        BudgetedDispatch dispatch = new BudgetedDispatch(partitions, budget);
        dispatch.run(new TreeMap<>());
        dispatch.run(new TreeMap<>());
        assertThat(budget.underWayBytes()).isEqualTo(300_000);
        dispatch.close();
        dispatch.close();
        assertThat(budget.underWayBytes()).isZero();
    }

    @Test
    void resultsWithoutRoomEndTheCallWhateverItsProcedureCatches() {
        resultBytes = 300_000;
        BudgetedDispatch dispatch = new BudgetedDispatch(partitions, budget);
        assertThatThrownBy(() -> dispatch.run(new TreeMap<>())).isInstanceOf(FailureSignal.class);
        assertThat(budget.refused()).isEqualTo(1);
        assertThat(budget.underWayBytes()).isZero();
    }
}
