package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.PartitionStatement;
import dev.fulmar.engine.execution.ReadAhead;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Executes batches on one partition, for calls that run there from begin to end. Keeps the statements of each procedure
 * bound to the partition. One thread at a time.
 */
public final class LocalStatementRunner implements StatementRunner {
    private static final PartitionStatement[] NONE = {};

    private final ExecutionContext context;
    private final ReadAhead ahead = new ReadAhead();

    /** Asked for single procedures only, so that the order of its entries shows nowhere. */
    private final Map<LoadedProcedure, @Nullable PartitionStatement[]> bound = new HashMap<>();

    private @Nullable LoadedProcedure current;
    private @Nullable PartitionStatement[] statements = NONE;

    public LocalStatementRunner(ExecutionContext context) {
        this.context = context;
    }

    /** Turns to a call of the procedure. */
    public LocalStatementRunner open(LoadedProcedure procedure, long procedureTimeMicros) {
        context.setTransactionMicros(procedureTimeMicros);
        if (procedure != current) {
            @Nullable PartitionStatement[] known = bound.get(procedure);
            if (known == null) {
                known = new PartitionStatement[procedure.statements().size()];
                bound.put(procedure, known);
            }
            statements = known;
            current = procedure;
        }
        return this;
    }

    /** Forgets all but these procedures; to be called when a version of the catalog takes over. */
    public void retain(List<LoadedProcedure> procedures) {
        bound.keySet().retainAll(new HashSet<>(procedures)); // a list would be searched for each
        current = null;
        statements = NONE;
    }

    /** Stops at the first statement that fails; what the ones before it did stands. */
    @Override
    public void execute(StatementBatch batch) {
        boolean together = batch.size() > 1;
        int position = 0;
        for (int i = 0; i < batch.size(); i++, position++) {
            if (together && i % ReadAhead.MOST == 0) {
                readAhead(batch, i);
                position = 0;
            }
            ProcedureStatement statement = batch.statement(i);
            PartitionStatement here = statements[statement.number()];
            if (here == null) {
                here = statement.compiled().on(context);
                statements[statement.number()] = here;
            }
            long expectedRow = together ? ahead.row(position) : 0;
            if (statement.yieldsRows()) {
                int start = batch.writer().size();
                here.run(batch.bindings(i), batch.writer(), expectedRow);
                batch.completeRows(start);
            } else {
                batch.completeChange(here.run(batch.bindings(i), batch.writer(), expectedRow));
            }
        }
    }

    /** Reads what the statements from there on need. Alone a statement has nothing to be read together with. */
    private void readAhead(StatementBatch batch, int from) {
        int end = Math.min(batch.size(), from + ReadAhead.MOST);
        ahead.clear();
        for (int i = from; i < end; i++) {
            ahead.add(statements[batch.statement(i).number()], batch.bindings(i));
        }
        ahead.run();
    }
}
