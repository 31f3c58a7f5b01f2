package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.StatementMerge;
import dev.fulmar.engine.execution.StatementRouter;
import dev.fulmar.engine.partition.CoordinatorMessage.FragmentFailure;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partitioning.PartitionPlan;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.id.PartitionId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Executes the batches of one attempt of a multi-partition transaction: every statement's fragments go to the partitions that they need,
 * all at once, and what comes back is put together statement by statement.
 */
final class DistributedStatements implements StatementRunner {
    private static final int FIRST_PARAMETER_BYTES = 256;
    private static final int MAX_PARAMETER_BYTES = 64 << 20;

    /** A fragment of a statement of the batch on its partitions. */
    private record Placed(int fragment, BitSet partitions) {}

    /** What a statement needs at the coordinator. */
    private record Tools(StatementRouter router, StatementMerge merge) {}

    private final FragmentDispatch dispatch;
    private final PartitionRuntimes runtimes;
    private final Program program;
    private final PartitionPlan plan;
    private final PartitionId home;
    private final long transactionMicros;
    private final long timeNanos;
    private final ExecutionContext merges;
    private final ParameterWriter parameters = new ParameterWriter(FIRST_PARAMETER_BYTES, MAX_PARAMETER_BYTES);
    private final Map<ProcedureStatement, Tools> tools = new HashMap<>();

    /** Where a fragment goes that can run anywhere: where the transaction is already, if it is anywhere. */
    private int anywhere = -1;

    /**
     * @param home where fragments go that can run anywhere, if the transaction is nowhere yet
     * @param merges where rows are put together
     * @param timeNanos how long a fragment may run
     */
    DistributedStatements(
            FragmentDispatch dispatch,
            PartitionRuntimes runtimes,
            Program program,
            PartitionPlan plan,
            PartitionId home,
            ExecutionContext merges,
            long transactionMicros,
            long timeNanos) {
        this.dispatch = dispatch;
        this.runtimes = runtimes;
        this.program = program;
        this.plan = plan;
        this.home = home;
        this.merges = merges;
        this.transactionMicros = transactionMicros;
        this.timeNanos = timeNanos;
        merges.setTransactionMicros(transactionMicros);
    }

    @Override
    public void execute(StatementBatch batch) {
        List<List<Placed>> placements = place(batch);
        TreeMap<PartitionId, List<FragmentWork>> work = new TreeMap<>();
        int first = dispatch.nextStatement();
        for (int i = 0; i < batch.size(); i++) {
            int statement = i == 0 ? first : dispatch.nextStatement();
            addWork(batch, i, statement, placements.get(i), work);
        }
        FragmentDispatch.Outcome outcome = dispatch.run(work);
        collect(batch, first, placements, outcome);
    }

    private List<List<Placed>> place(StatementBatch batch) {
        List<List<Placed>> placements = new ArrayList<>(batch.size());
        for (int i = 0; i < batch.size(); i++) {
            StatementRouter router = tools(batch.statement(i)).router();
            List<Placed> placed = new ArrayList<>();
            for (int fragment = 0; fragment < batch.statement(i).compiled().fragmentCount(); fragment++) {
                BitSet partitions = new BitSet();
                if (!router.isAnywhere(fragment)) {
                    router.partitions(fragment, plan, batch.bindings(i), partitions);
                    if (anywhere < 0 && !partitions.isEmpty()) {
                        anywhere = partitions.nextSetBit(0);
                    }
                }
                placed.add(new Placed(fragment, partitions));
            }
            placements.add(placed);
        }
        if (anywhere < 0) {
            anywhere = home.number();
        }
        for (List<Placed> placed : placements) {
            for (Placed fragment : placed) {
                if (fragment.partitions().isEmpty()) {
                    fragment.partitions().set(anywhere);
                }
            }
        }
        return placements;
    }

    private void addWork(
            StatementBatch batch,
            int position,
            int statement,
            List<Placed> placed,
            TreeMap<PartitionId, List<FragmentWork>> work) {
        ProcedureStatement procedureStatement = batch.statement(position);
        batch.bindings(position).writeTo(parameters);
        byte[] list = parameters.toByteArray();
        for (Placed fragment : placed) {
            StatementFragment piece = new StatementFragment(
                    runtimes,
                    program,
                    statement,
                    procedureStatement,
                    fragment.fragment(),
                    list,
                    transactionMicros,
                    timeNanos);
            fragment.partitions().stream()
                    .forEach(partition -> work.computeIfAbsent(new PartitionId(partition), key -> new ArrayList<>())
                            .add(piece));
        }
    }

    private void collect(
            StatementBatch batch, int first, List<List<Placed>> placements, FragmentDispatch.Outcome outcome) {
        FragmentFailure failure = outcome.failure();
        int done = failure == null ? batch.size() : failure.statement() - first;
        int[] taken = new int[plan.partitionCount()];
        for (int i = 0; i < done; i++) {
            try {
                merge(batch, i, placements.get(i), outcome, taken);
            } catch (FulmarException e) {
                dispatch.undoFrom(first + i + 1); // what came after this statement has run, but must not have
                throw e;
            }
        }
        if (failure != null) {
            throw new FulmarException(failure.code(), failure.message());
        }
    }

    private void merge(
            StatementBatch batch, int position, List<Placed> placed, FragmentDispatch.Outcome outcome, int[] taken) {
        ProcedureStatement statement = batch.statement(position);
        StatementMerge merge = tools(statement).merge();
        Bindings bindings = batch.bindings(position);
        merge.begin(bindings);
        for (Placed fragment : placed) {
            BitSet partitions = fragment.partitions();
            for (int p = partitions.nextSetBit(0); p >= 0; p = partitions.nextSetBit(p + 1)) {
                FragmentResult result = result(outcome, p, taken[p]++);
                if (statement.isQuery()) {
                    merge.addRows(fragment.fragment(), result.rows(), 0, result.rows().length);
                } else {
                    merge.addCount(fragment.fragment(), result.changedRows());
                }
            }
        }
        int start = batch.writer().size();
        long changedRows = merge.finish(batch.writer());
        if (statement.isQuery()) {
            batch.completeRows(start);
        } else {
            batch.completeChange(changedRows);
        }
    }

    private static FragmentResult result(FragmentDispatch.Outcome outcome, int partition, int place) {
        @Nullable List<FragmentResult> results = outcome.results().get(new PartitionId(partition));
        return results == null ? FragmentResult.changed(0) : results.get(place);
    }

    private Tools tools(ProcedureStatement statement) {
        return tools.computeIfAbsent(
                statement,
                key -> new Tools(key.compiled().newRouter(), key.compiled().newMerge(merges)));
    }
}
