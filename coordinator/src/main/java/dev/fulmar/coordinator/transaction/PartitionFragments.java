package dev.fulmar.coordinator.transaction;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Expiry;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.durability.ImageDigest;
import dev.fulmar.engine.execution.Bindings;
import dev.fulmar.engine.execution.CompiledStatement;
import dev.fulmar.engine.execution.ExecutionContext;
import dev.fulmar.engine.execution.ExpiredRows;
import dev.fulmar.engine.execution.ParameterTypes;
import dev.fulmar.engine.execution.PartitionStatement;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.plan.TableMarks;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.engine.spi.AbsentData;
import dev.fulmar.engine.spi.MovedData;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.undo.UndoVisitor;
import dev.fulmar.foundation.data.ParameterReader;
import dev.fulmar.foundation.data.ParameterWriter;
import dev.fulmar.foundation.data.ResultBlockWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs fragments of multi-partition transactions on one partition, with the statements that are bound to it. Touched by
 * the partition's thread only.
 */
final class PartitionFragments {
    private static final int FIRST_RESULT_BYTES = 4 << 10;

    /** More stays with no partition when nothing runs. */
    private static final int KEPT_RESULT_BYTES = 1 << 20;

    private final PartitionStorage storage;
    private final ExecutionContext context;
    private final ImageDigest images;
    private final Map<ProcedureStatement, PartitionStatement> statements = new HashMap<>();
    private final Bindings bindings = new Bindings(new ParameterTypes(List.of()));
    private final ParameterReader parameters = new ParameterReader(ParameterWriter.MAX_PARAMETERS);

    /** Not taken from the budget of what is under way: there is one per partition. */
    private final ResultBlockWriter rows;

    private long changedTables;
    private final UndoVisitor changeVisitor = (kind, table, row, payload) -> changedTables |= TableMarks.of(table);

    PartitionFragments(PartitionStorage storage, ExecutionContext context, int maxResultBytes) {
        this.storage = storage;
        this.context = context;
        this.images = new ImageDigest(storage);
        this.rows = new ResultBlockWriter(FIRST_RESULT_BYTES, maxResultBytes);
    }

    /** Whether the statement would be one more than so many that are bound. */
    boolean isFullFor(ProcedureStatement statement, int most) {
        return statements.size() >= most && !statements.containsKey(statement);
    }

    /** Forgets the statements that are bound. */
    void forget() {
        statements.clear();
    }

    /** Digest of the images of the rows that changed since the undo position; 0 if there are none. */
    long imagesSince(long position) {
        return images.since(position);
    }

    /** The tables whose rows changed since the undo position, rows of views and sequences too. */
    long tablesChangedSince(long position) {
        changedTables = 0;
        storage.undoLog().visitSince(position, changeVisitor);
        return changedTables;
    }

    FragmentResult run(StatementFragment fragment) {
        ProcedureStatement statement = fragment.procedureStatement();
        PartitionStatement here = statements.get(statement);
        if (here == null) {
            here = statement.compiled().on(context);
            statements.put(statement, here);
        }
        context.setTransactionMicros(fragment.transactionMicros());
        bindings.reset(statement.compiled().parameterTypes());
        bindings.readFrom(parameters.wrap(fragment.parameters(), 0, fragment.parameters().length));
        rows.shrink(KEPT_RESULT_BYTES);
        long begin = storage.undoLog().mark();
        long changedRows;
        storage.holdToMark(statement.addsRows());
        context.runsFragment(true);
        try {
            changedRows = fragment.fragment() == StatementFragment.WHOLE
                    ? here.run(bindings, rows)
                    : here.runFragment(fragment.fragment(), bindings, rows);
        } finally {
            context.runsFragment(false);
            storage.holdToMark(false);
        }
        long changedImages = fragment.tellsImages() ? images.since(begin) : 0;
        return statement.yieldsRows()
                ? new FragmentResult(rows.toByteArray(), 0, changedImages)
                : FragmentResult.changed(changedRows, changedImages);
    }

    /** Deletes rows that are too old, as many as one transaction may; returns how many. */
    long expire(Table table, Expiry rule, Catalog catalog, long nowMicros) {
        CompiledStatement statement = ExpiredRows.of(table, catalog);
        PartitionStatement here = statement.on(context);
        context.setTransactionMicros(nowMicros);
        bindings.reset(statement.parameterTypes());
        ExpiredRows.bind(bindings, nowMicros - rule.afterMicros(), rule.batchRows());
        rows.clear();
        try {
            return here.runFragment(0, bindings, rows);
        } catch (AbsentData | MovedData elsewhere) {
            return 0; // rows that are under way expire where they come to be
        }
    }
}
