package dev.fulmar.engine.procedure;

import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.foundation.data.CellValues;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultColumn;
import dev.fulmar.foundation.data.TypeKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers statements from a table of canned results and remembers what was asked. A query yields one row of zeros by
 * default.
 */
public final class FakeStatements implements StatementRunner {
    private final Map<String, List<@Nullable Object[]>> rows = new HashMap<>();
    private final Map<String, RuntimeException> failures = new HashMap<>();
    private final List<String> executed = new ArrayList<>();
    private @Nullable ControlSignal signal;

    public FakeStatements rows(String sql, @Nullable Object[]... results) {
        rows.put(sql, Arrays.asList(results));
        return this;
    }

    public FakeStatements fail(String sql, RuntimeException failure) {
        failures.put(sql, failure);
        return this;
    }

    /** Every batch meets the signal. */
    public void signal(ControlSignal newSignal) {
        signal = newSignal;
    }

    /** Text and parameters of each statement; batches end with {@code ;}. */
    public List<String> executed() {
        return executed;
    }

    @Override
    public void execute(StatementBatch batch) {
        ControlSignal met = signal;
        if (met != null) {
            throw met;
        }
        for (int i = 0; i < batch.size(); i++) {
            ProcedureStatement statement = batch.statement(i);
            String sql = statement.compiled().plan().sql();
            RuntimeException failure = failures.get(sql);
            if (failure != null) {
                throw failure;
            }
            executed.add(sql + describe(batch.bindings(i)) + (i == batch.size() - 1 ? ";" : ""));
            if (statement.yieldsRows()) {
                batch.completeRows(write(statement, batch.writer(), rows.get(sql)));
            } else {
                batch.completeChange(1);
            }
        }
    }

    private static int write(
            ProcedureStatement statement, ResultBlockWriter writer, @Nullable List<@Nullable Object[]> results) {
        int start = writer.begin(statement.shape().layout());
        List<ResultColumn> columns = statement.shape().columns();
        if (results == null) {
            writer.startRow();
            writer.endRow();
        } else {
            for (@Nullable Object[] row : results) {
                writer.startRow();
                for (int i = 0; i < row.length; i++) {
                    CellValues.set(writer, i, columns.get(i).type(), row[i]);
                }
                writer.endRow();
            }
        }
        writer.end();
        return start;
    }

    private static String describe(Bindings bindings) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < bindings.count(); i++) {
            if (bindings.isNull(i)) {
                values.add("null");
            } else if (bindings.type(i).storage() == TypeKind.Storage.DOUBLE) {
                values.add(String.valueOf(bindings.getDouble(i)));
            } else if (bindings.type(i).storage() == TypeKind.Storage.LONG) {
                values.add(String.valueOf(bindings.getLong(i)));
            } else {
                values.add(bindings.type(i).kind().toString());
            }
        }
        return values.toString();
    }
}
