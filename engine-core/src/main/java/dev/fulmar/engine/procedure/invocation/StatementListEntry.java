package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.procedure.CallReply;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements of several procedures, executed as one batch, each with a parameter list of its own. It yields a table for
 * each statement that yields rows, and tells how many rows each other one has changed. Used for one call.
 */
public final class StatementListEntry implements ProcedureEntry {
    private final List<ProcedureStatement> statements;
    private final List<byte[]> parameterLists;
    private final long[] changedRows;

    /** @param parameterLists in the format of {@code dev.fulmar.foundation.data} */
    public StatementListEntry(List<ProcedureStatement> statements, List<byte[]> parameterLists) {
        Invariants.check(statements.size() == parameterLists.size(), "every statement has its parameters");
        this.statements = List.copyOf(statements);
        this.parameterLists = List.copyOf(parameterLists);
        this.changedRows = new long[statements.size()];
    }

    @Override
    public void call(ProcedureContext context, ParameterSource none, CallReply reply) {
        CallContext call = (CallContext) context;
        ParameterReader reader = new ParameterReader(ParameterWriter.MAX_PARAMETERS);
        for (int i = 0; i < statements.size(); i++) {
            Bindings bindings = call.queue(statements.get(i));
            byte[] list = parameterLists.get(i);
            reader.wrap(list, 0, list.length);
            for (int parameter = 0; parameter < reader.count(); parameter++) {
                ParameterBinder.bind(reader, parameter, bindings, parameter);
            }
        }
        ResultsView results = call.executeBatch();
        List<Rows> tables = new ArrayList<>();
        for (int i = 0; i < changedRows.length; i++) {
            if (statements.get(i).yieldsRows()) {
                tables.add(results.rows(i));
            } else {
                changedRows[i] = results.changedRows(i);
            }
        }
        reply.tables(tables.toArray(Rows[]::new));
    }

    /** Rows that the statement has changed; after the call. */
    public long changedRows(int statement) {
        return changedRows[statement];
    }
}
