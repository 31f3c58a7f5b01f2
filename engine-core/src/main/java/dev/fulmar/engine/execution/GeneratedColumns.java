package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Generation;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The generated columns of a row that is about to be stored. Invariant: every write of a row computes them from the
 * columns that the row will have, after all other columns and before the conditions on the row.
 */
final class GeneratedColumns {
    private final boolean isEmpty;
    private final ColumnAssignments values;

    private GeneratedColumns(Table table, IntPredicate isWanted, List<Evaluator> columns) {
        ExpressionCompiler expressions = new ExpressionCompiler(columns);
        List<Evaluator> computed = new ArrayList<>();
        int[] places = IntStream.range(0, table.columns().size())
                .filter(place -> table.columns().get(place).isGenerated() && isWanted.test(place))
                .toArray();
        for (int place : places) {
            Column column = table.columns().get(place);
            Generation generation = column.generation();
            if (generation != null) {
                computed.add(expressions.storedIn(generation.value(), column.type()));
            }
        }
        isEmpty = places.length == 0;
        values = new ColumnAssignments(places, computed);
    }

    /** All generated columns of the whole row that the image at the source has. */
    static GeneratedColumns ofRow(Table table, RowLayout layout, int image) {
        return new GeneratedColumns(table, place -> true, RowChecks.columns(layout, place -> true, image, image));
    }

    /**
     * Those that an update of some columns changes.
     *
     * @param isAssigned whether an update assigns a column; its value is then in the image, else in the row
     */
    static GeneratedColumns ofUpdate(Table table, RowLayout layout, IntPredicate isAssigned, int image, int row) {
        return new GeneratedColumns(
                table, place -> table.isChanged(place, isAssigned), RowChecks.columns(layout, isAssigned, image, row));
    }

    /** The columns that an update changes: those that it assigns, and those that are computed from them. */
    static int[] changed(Table table, int[] assigned) {
        IntPredicate isAssigned = column -> IntStream.of(assigned).anyMatch(each -> each == column);
        IntStream computed = IntStream.range(0, table.columns().size())
                .filter(column -> !isAssigned.test(column) && table.isChanged(column, isAssigned));
        return IntStream.concat(IntStream.of(assigned), computed).toArray();
    }

    /** Puts the values into the image; the frame has the image and the row at their sources. */
    void write(Frame frame, RowImage image) {
        if (!isEmpty) {
            long mark = frame.temporary.position();
            values.write(frame, image);
            frame.temporary.reset(mark);
        }
    }
}
