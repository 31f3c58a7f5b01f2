package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.catalog.ProcedureDefinition;
import dev.fulmar.engine.procedure.ControlSignal;
import dev.fulmar.engine.procedure.Determinism;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.budget.BudgetLimits;
import dev.fulmar.engine.procedure.invocation.ProcedureExecution;
import dev.fulmar.engine.procedure.invocation.StatementListEntry;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.id.PartitionId;
import dev.fulmar.foundation.memory.ByteBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The execution and the buffers of a multi-partition call's control code, reused by one call after another. One call at
 * a time.
 */
final class CallWorkspace {
    private static final byte[] NO_PARAMETERS = {0, 0};
    private static final byte[] NO_ROWS = {};
    private static final ProcedureDefinition NAME = new ProcedureDefinition(
            "(statements of a transaction)", Optional.empty(), new ProcedureDefinition.Sql(List.of()));

    private final ProcedureExecution execution;
    private final DistributedStatements statements;
    private final ByteBudget underWay;

    CallWorkspace(ProcedureExecution execution, DistributedStatements statements, ByteBudget underWay) {
        this.underWay = underWay;
        this.execution = execution;
        this.statements = statements;
    }

    /** Runs one attempt of a call that asks for no images of rows. */
    Committed run(
            TargetSource.Prepared prepared,
            FragmentDispatch dispatch,
            PartitionId home,
            IncomingRequest incoming,
            BudgetLimits budget,
            long transactionMicros,
            long seed) {
        return run(prepared, dispatch, home, incoming, budget, transactionMicros, seed, false);
    }

    /**
     * Runs one attempt.
     *
     * @param tellsImages whether {@link #images} is wanted
     */
    Committed run(
            TargetSource.Prepared prepared,
            FragmentDispatch dispatch,
            PartitionId home,
            IncomingRequest incoming,
            BudgetLimits budget,
            long transactionMicros,
            long seed,
            boolean tellsImages) {
        BudgetedDispatch budgeted = new BudgetedDispatch(dispatch, underWay);
        try {
            DistributedStatements runner = statements.open(
                    budgeted,
                    prepared.program(),
                    prepared.target().procedure(),
                    home,
                    transactionMicros,
                    budget.timeNanos());
            if (tellsImages) {
                runner.tellImages();
            }
            execution.run(
                    prepared.target().procedure(),
                    incoming.request().parameters(),
                    transactionMicros,
                    seed,
                    budget,
                    runner);
            return Answers.committed(execution, incoming, underWay);
        } finally {
            statements.close();
            budgeted.close();
        }
    }

    /**
     * Runs statements of one program at once, none of which runs in steps or is narrowed; returns each result.
     *
     * @param tellsImages whether {@link #images} is wanted
     */
    List<Committed> runTogether(
            List<TargetSource.Prepared> prepared,
            List<byte[]> parameterLists,
            FragmentDispatch dispatch,
            PartitionId home,
            BudgetLimits budget,
            long transactionMicros,
            boolean tellsImages) {
        List<ProcedureStatement> queued = new ArrayList<>();
        List<LoadedProcedure> procedures = new ArrayList<>();
        for (TargetSource.Prepared each : prepared) {
            procedures.add(each.target().procedure());
            queued.add(each.target().procedure().statements().getFirst());
        }
        StatementListEntry entry = new StatementListEntry(queued, parameterLists);
        LoadedProcedure all = together(entry);
        BudgetedDispatch budgeted = new BudgetedDispatch(dispatch, underWay);
        try {
            DistributedStatements runner = statements.open(
                    budgeted, prepared.getFirst().program(), all, home, transactionMicros, budget.timeNanos());
            runner.each(procedures);
            if (tellsImages) {
                runner.tellImages();
            }
            execution.run(all, NO_PARAMETERS, transactionMicros, 0, budget, runner);
            return results(queued, entry);
        } finally {
            statements.close();
            budgeted.close();
        }
    }

    private static LoadedProcedure together(StatementListEntry entry) {
        return new LoadedProcedure(
                NAME,
                List.of(),
                List.of(),
                new LoadedProcedure.Code(
                        List.of(), LoadedProcedure.Scope.MULTI_PARTITION, false, Determinism.PROVEN, entry),
                false);
    }

    private List<Committed> results(List<ProcedureStatement> queued, StatementListEntry entry) {
        byte[] blocks = execution.replyBlocks();
        ResultBlock block = new ResultBlock();
        int offset = 0;
        List<Committed> results = new ArrayList<>();
        for (int i = 0; i < queued.size(); i++) {
            if (queued.get(i).yieldsRows()) {
                block.wrap(blocks, offset, blocks.length - offset);
                int end = offset + block.totalBytes();
                results.add(new Committed(Kind.TABLE, 0, Arrays.copyOfRange(blocks, offset, end)));
                offset = end;
            } else {
                results.add(new Committed(Kind.VALUE, entry.changedRows(i), NO_ROWS));
            }
        }
        return results;
    }

    /**
     * Digest of the rows that a statement of the last run changed, before and after; 0 if there are none.
     *
     * @param number of the statement, where several ran together; else 0
     */
    long images(int number) {
        return statements.images(number);
    }

    /** Ends the computation of the running attempt soon; any thread. */
    void interrupt(ControlSignal signal) {
        execution.interrupt(signal);
    }

    /** Gives back what an unusual call has taken. */
    void shrink() {
        execution.shrink();
    }

    /** Memory on the heap that stays for the next call. */
    int keptBytes() {
        return execution.keptBytes() + statements.keptBytes();
    }
}
