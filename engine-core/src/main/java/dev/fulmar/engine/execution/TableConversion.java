package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.memory.OffHeap;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableRewrite;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes of a table one with other columns, under an id of its own. Invariant: an id names one layout for ever, so rows
 * of logs and checkpoints are read as they were written.
 */
public final class TableConversion {
    /** Stands for a column that was not there. */
    public static final int NEW = -1;

    private static final long WORKING_BYTES = 16 << 20;

    private final TableStore from;
    private final TableStore to;
    private final ColumnAssignments values;
    private final RowImage image;
    private final GeneratedColumns generated;
    /** The checks that only rows of the new table must meet. */
    private final RowChecks checks;

    private final Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
    private final int numberOffset;

    private TableConversion(
            TableStore from, TableStore to, Table before, Table after, List<Integer> sources, long micros) {
        frame.transactionMicros = micros;
        this.from = from;
        this.to = to;
        int[] given = IntStream.range(0, sources.size())
                .filter(place -> !after.columns().get(place).isGenerated())
                .toArray();
        values = new ColumnAssignments(given, values(from.layout(), after, sources, given));
        generated = GeneratedColumns.ofRow(after, to.layout(), 0);
        image = new RowImage(to.layout());
        List<Check> added = after.checks().stream()
                .filter(check ->
                        before.checks().stream().noneMatch(old -> old.name().equals(check.name())))
                .toList();
        checks = RowChecks.ofRow(after, added, to.layout(), 0);
        numberOffset = from.layout().hasRowNumber() ? from.layout().rowNumberOffset() : -1;
    }

    /**
     * Makes the new table with the rows of the old one, which stays. What slices have made is completed; else all rows
     * are copied. If it fails, nothing is left of the new one.
     *
     * @param sources per column of the new table the place of the old one, or {@link #NEW}; such a column has its
     *     default
     * @param micros the time of that default, which is one for all rows
     */
    public static void convert(
            PartitionStorage storage, Table before, Table after, List<Integer> sources, long micros) {
        if (storage.preparation() instanceof TableRewrite shadow
                && shadow.table().equals(after)) {
            storage.installShadow(shadow);
            return;
        }
        storage.createTable(after);
        try {
            TableStore from = storage.table(before.id());
            new TableConversion(from, storage.table(after.id()), before, after, sources, micros).copyAll();
        } catch (RuntimeException failure) {
            storage.dropTable(after.id());
            throw failure;
        }
    }

    /** Begins to make the new table while the old one is in use; {@link #convert} completes it. */
    public static TableRewrite begin(
            PartitionStorage storage, Table before, Table after, List<Integer> sources, long micros) {
        TableRewrite shadow = storage.beginShadow(before, after);
        TableConversion conversion =
                new TableConversion(shadow.source(), shadow.target(), before, after, sources, micros);
        shadow.copyBy(conversion::copy);
        return shadow;
    }

    private void copyAll() {
        ScanCursor cursor = from.newScan();
        from.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            copy(row);
        }
        to.continueRowNumbers(from);
    }

    private long copy(long row) {
        frame.rows[0] = row;
        frame.temporary.clear();
        image.clear();
        values.write(frame, image);
        frame.rows[0] = image.address();
        generated.write(frame, image);
        checks.check(frame);
        long rowNumber = numberOffset < 0 ? 0 : OffHeap.getLong(row + numberOffset);
        return to.adopt(image, rowNumber, RowLayout.commitTimestamp(row));
    }

    private static List<Evaluator> values(RowLayout from, Table after, List<Integer> sources, int[] given) {
        ExpressionCompiler expressions = new ExpressionCompiler(List.of());
        List<Evaluator> values = new ArrayList<>();
        for (int i : given) {
            Column column = after.columns().get(i);
            int source = sources.get(i);
            if (source == NEW) {
                Expression initial = column.defaultValue();
                values.add(expressions.storedIn(
                        initial == null ? new Expression.Literal(column.type(), null) : initial, column.type()));
            } else {
                values.add(ExpressionCompiler.stored(
                        RowColumns.of(from, source, 0, true), from.type(source), column.type()));
            }
        }
        return values;
    }
}
