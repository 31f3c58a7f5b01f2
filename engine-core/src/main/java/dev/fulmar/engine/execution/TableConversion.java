package dev.fulmar.engine.execution;

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
import dev.fulmar.engine.table.TableShadow;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Makes of a table one with other columns, under an id of its own. Invariant: an id names one layout for ever, so rows of logs and checkpoints are
 * read as they were written.
 */
public final class TableConversion {
    /** Stands for a column that was not there. */
    public static final int NEW = -1;

    private static final long WORKING_BYTES = 16 << 20;

    private final TableStore from;
    private final TableStore to;
    private final ColumnAssignments values;
    private final RowImage image;
    private final Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
    private final int numberOffset;

    private TableConversion(TableStore from, TableStore to, Table after, List<Integer> sources) {
        this.from = from;
        this.to = to;
        values = new ColumnAssignments(
                IntStream.range(0, sources.size()).toArray(), values(from.layout(), after, sources));
        image = new RowImage(to.layout());
        numberOffset = from.layout().hasRowNumber() ? from.layout().rowNumberOffset() : -1;
    }

    /**
     * Makes the new table with the rows of the old one, which stays. What slices have made is completed; else all rows are copied. If it fails, nothing
     * is left of the new one.
     *
     * @param sources per column of the new table the place of the old one, or {@link #NEW}; such a column has its default
     */
    public static void convert(PartitionStorage storage, Table before, Table after, List<Integer> sources) {
        TableShadow shadow = storage.shadow();
        if (shadow != null && shadow.table().equals(after)) {
            complete(storage, shadow, sources);
            return;
        }
        storage.createTable(after);
        try {
            new TableConversion(storage.table(before.id()), storage.table(after.id()), after, sources).copyAll();
        } catch (RuntimeException failure) {
            storage.dropTable(after.id());
            throw failure;
        }
    }

    private static void complete(PartitionStorage storage, TableShadow shadow, List<Integer> sources) {
        try {
            TableConversion conversion = new TableConversion(shadow.source(), shadow.target(), shadow.table(), sources);
            shadow.copyRest(conversion::copy);
            storage.installShadow();
        } catch (RuntimeException failure) {
            storage.discardShadow();
            throw failure;
        }
    }

    /**
     * Begins to make the new table while the old one is in use. The result does a bounded piece of it, to be called while no transaction is under way, and says
     * whether so little is left that {@link #convert} may follow.
     */
    public static Slices begin(PartitionStorage storage, Table before, Table after, List<Integer> sources) {
        TableShadow shadow = storage.beginShadow(before, after);
        TableConversion conversion = new TableConversion(shadow.source(), shadow.target(), after, sources);
        return mostRows -> shadow.copySlice(conversion::copy, mostRows);
    }

    /** Work that is done piece by piece. */
    @FunctionalInterface
    public interface Slices {
        /** Whether little is left. */
        boolean next(int mostRows);
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
        long rowNumber = numberOffset < 0 ? 0 : OffHeap.getLong(row + numberOffset);
        return to.adopt(image, rowNumber, RowLayout.commitTimestamp(row));
    }

    private static List<Evaluator> values(RowLayout from, Table after, List<Integer> sources) {
        ExpressionCompiler expressions = new ExpressionCompiler(List.of());
        List<Evaluator> values = new ArrayList<>();
        for (int i = 0; i < sources.size(); i++) {
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
