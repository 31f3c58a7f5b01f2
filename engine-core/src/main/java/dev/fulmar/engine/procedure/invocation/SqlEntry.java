package dev.fulmar.engine.procedure.invocation;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.procedure.CallReply;
import dev.fulmar.engine.procedure.ParameterSource;
import dev.fulmar.engine.procedure.ProcedureEntry;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.ReplyKind;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.procedure.ProcedureContext;
import dev.fulmar.procedure.Rows;
import java.util.List;

/**
 * A procedure of SQL statements, executed as one batch; the caller's parameters are numbered through. One statement
 * yields its rows or the number of rows that it changed; several yield a table each, where one that changes rows yields
 * a table of that number.
 */
public final class SqlEntry implements ProcedureEntry {
    private final ProcedureStatement[] statements;

    /** Caller's parameter for each statement's parameters. */
    private final int[][] sources;

    /** @param sources for each statement, the positions of its parameters among the caller's */
    public SqlEntry(List<ProcedureStatement> statements, int[][] sources) {
        Invariants.check(statements.size() == sources.length, "every statement has its parameters");
        this.statements = statements.toArray(ProcedureStatement[]::new);
        this.sources = sources.clone();
    }

    @Override
    public ReplyKind replyKind() {
        if (statements.length > 1) {
            return ReplyKind.TABLES;
        }
        return statements[0].yieldsRows() ? ReplyKind.TABLE : ReplyKind.VALUE;
    }

    /** The type of the caller's parameter at the position. */
    public ColumnType parameterType(int position) {
        for (int i = 0; i < statements.length; i++) {
            for (int parameter = 0; parameter < sources[i].length; parameter++) {
                if (sources[i][parameter] == position) {
                    return statements[i].compiled().plan().parameters().get(parameter);
                }
            }
        }
        throw Invariants.breach("each parameter is one of a statement");
    }

    @Override
    public void call(ProcedureContext context, ParameterSource parameters, CallReply reply) {
        CallContext call = (CallContext) context;
        for (int i = 0; i < statements.length; i++) {
            Bindings bindings = call.queue(statements[i]);
            int[] positions = sources[i];
            for (int parameter = 0; parameter < positions.length; parameter++) {
                ParameterBinder.bind(parameters.reader(), positions[parameter], bindings, parameter);
            }
        }
        ResultsView results = call.executeBatch();
        if (statements.length == 1) {
            if (statements[0].yieldsRows()) {
                reply.table(results.rows(0));
            } else {
                reply.value(results.changedRows(0));
            }
            return;
        }
        Rows[] tables = new Rows[statements.length];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = statements[i].yieldsRows()
                    ? results.rows(i)
                    : context.table("CHANGED_ROWS").row(results.changedRows(i)).build();
        }
        reply.tables(tables);
    }
}
