package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Conditions on a row that is about to be stored. A condition that is null is met. */
final class RowChecks {
    private final Table table;
    private final List<Check> checks;
    private final LongEvaluator[] conditions;

    private RowChecks(Table table, List<Check> checks, List<Evaluator> columns) {
        this.table = table;
        this.checks = checks;
        ExpressionCompiler expressions = new ExpressionCompiler(columns);
        conditions = checks.stream()
                .map(check -> expressions.condition(check.condition()))
                .toArray(LongEvaluator[]::new);
    }

    /** All conditions on the whole row at the source. */
    static RowChecks ofRow(Table table, RowLayout layout, int source) {
        return ofRow(table, table.checks(), layout, source);
    }

    /** Some conditions on the whole row at the source. */
    static RowChecks ofRow(Table table, List<Check> checks, RowLayout layout, int source) {
        return new RowChecks(table, checks, columns(layout, column -> true, source, source));
    }

    /**
     * The conditions that an update of some columns may break.
     *
     * @param changes whether a column is changed; its value is then in the image, else in the row
     */
    static RowChecks ofUpdate(Table table, RowLayout layout, IntPredicate changes, int image, int row) {
        List<Check> affected = new ArrayList<>();
        for (Check check : table.checks()) {
            boolean isAffected = false;
            for (int column = 0; column < layout.columnCount(); column++) {
                isAffected |= changes.test(column) && check.reads(column);
            }
            if (isAffected) {
                affected.add(check);
            }
        }
        return new RowChecks(table, affected, columns(layout, changes, image, row));
    }

    /** The columns of a row, in its image if they change. Images may still have nulls where the table has none. */
    static List<Evaluator> columns(RowLayout layout, IntPredicate changes, int image, int row) {
        List<Evaluator> columns = new ArrayList<>();
        for (int column = 0; column < layout.columnCount(); column++) {
            columns.add(RowColumns.of(layout, column, changes.test(column) ? image : row, true));
        }
        return columns;
    }

    /** Fails with CHECK_VIOLATION. */
    void check(Frame frame) {
        for (int i = 0; i < conditions.length; i++) {
            long mark = frame.temporary.position();
            boolean isFalse = conditions[i].evaluate(frame) == 0 && !frame.isNull;
            frame.temporary.reset(mark);
            if (isFalse) {
                Check broken = checks.get(i);
                throw new FulmarException(
                        ErrorCode.CHECK_VIOLATION,
                        "a row of " + table.name() + " breaks the constraint " + broken.name() + ": " + broken.text());
            }
        }
    }
}
