package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.procedure.StatementBatch;
import dev.fulmar.engine.procedure.StatementRunner;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlock;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.function.Consumer;

/**
 * A query that is a part of another statement, run by itself.
 *
 * @param limitBytes most that its rows may take
 */
record NestedQuery(StatementRunner runner, int limitBytes) {
    private static final int FIRST_BYTES = 4096;
    private static final int MAX_PARAMETER_BYTES = 64 << 20;

    NestedQuery(StatementRunner runner, long limitBytes) {
        this(runner, (int) Math.min(Integer.MAX_VALUE, limitBytes));
    }

    /** The rows of the query with the parameters of the statement that it is a part of. */
    ResultBlock rows(ProcedureStatement query, Bindings parameters) {
        return rows(query, parameters, further -> {});
    }

    /** @param bind sets the query's parameters that the statement does not have */
    ResultBlock rows(ProcedureStatement query, Bindings parameters, Consumer<Bindings> bind) {
        ParameterWriter written = new ParameterWriter(FIRST_BYTES, MAX_PARAMETER_BYTES);
        parameters.writeTo(written);
        byte[] list = written.toByteArray();
        ParameterReader given = new ParameterReader(ParameterWriter.MAX_PARAMETERS).wrap(list, 0, list.length);
        StatementBatch batch = new StatementBatch(new ResultBlockWriter(FIRST_BYTES, limitBytes));
        Bindings own = batch.add(query);
        for (int parameter = 0; parameter < given.count(); parameter++) {
            own.set(parameter, given, parameter);
        }
        bind.accept(own);
        runner.execute(batch);
        ResultBlockWriter rows = batch.writer();
        return new ResultBlock().wrap(rows.array(), batch.blockStart(0), rows.size() - batch.blockStart(0));
    }
}
