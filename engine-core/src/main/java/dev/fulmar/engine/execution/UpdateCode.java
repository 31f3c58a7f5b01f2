package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.NamedValues;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.AddressList;
import dev.fulmar.engine.execution.operator.Consumer;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.PointRead;
import dev.fulmar.engine.execution.operator.Producer;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.operator.RowCopies;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.plan.Operation.Update;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows. All assignments see the old row. Where a changed row could be met again, the rows are collected first;
 * where several rows change a unique key, all of them go before the first comes back, so that only the outcome must be
 * unique.
 */
final class UpdateCode implements FragmentCode {
    /** The way in which rows are walked and changed. */
    private enum Course {
        /** Each row where it is met. */
        AT_ONCE,
        /** First all addresses, then the changes. */
        COLLECT,
        /** First all new rows, then all deletes, then all inserts. */
        REPLACE
    }

    private final TableWriter table;
    private final Frame frame;
    private final Producer producer;
    private final RowBudget budget;
    private final Course course;
    private final boolean oneRow;
    private final boolean movesKey;
    private final UpdateShape shape;
    private final @Nullable PointRead pointRead;
    private final AddressList collected = new AddressList();
    private final AddressList images = new AddressList();
    private ColumnAssignments assignments = new ColumnAssignments(new int[0], List.of());
    private RowCopies copies;
    private final int imageSource;
    private final GeneratedColumns changedGenerated;
    private final GeneratedColumns wholeGenerated;
    private final RowChecks changedChecks;
    private final RowChecks wholeChecks;
    private final @Nullable ReturnedRows returned;
    private final @Nullable References references;
    private int source;
    private long count;

    UpdateCode(
            RelationCompiler relations,
            OperatorContext operators,
            ExecutionContext context,
            Update update,
            ResultLayout yielded) {
        Table target = operators.table(update.table());
        table = new TableWriter(context, operators.catalog(), target);
        budget = operators.budget();
        int[] assigned =
                update.assignments().stream().mapToInt(Assignment::column).toArray();
        int[] columns = GeneratedColumns.changed(target, assigned);
        shape = table.store().updateShape(columns);
        TargetRows rows = TargetRows.of(update.target());
        references = References.ofUpdate(context, operators.catalog(), target, column -> contains(columns, column));
        boolean changesKeys = References.changesKeys(operators.catalog(), target, column -> contains(columns, column));
        boolean point = rows.indexScan()
                .filter(scan -> !rows.isLookUp() && RelationCompiler.isPoint(index(target, scan), scan.key()))
                .isPresent();
        oneRow = point && references == null && !table.rows().hasViews();
        movesKey = contains(columns, table.partitioningColumn());
        if (changesKeys) {
            course = Course.REPLACE; // what refers to the old key must find it
        } else {
            course = point ? Course.AT_ONCE : course(target, rows, columns);
        }
        List<ColumnType> types = target.columns().stream().map(Column::type).toList();
        copies = new RowCopies(List.of(), List.of(), context.retained());
        producer = relations.compile(rows.relation(), cells -> {
            source = rows.source(relations, cells);
            List<Evaluator> values = values(target, update, cells);
            assignments = new ColumnAssignments(assigned, values);
            copies = new RowCopies(types, newRow(target, cells, assigned, values), context.retained());
            return consumer();
        });
        imageSource = relations.newSource();
        IntPredicate isAssigned = column -> contains(assigned, column);
        changedGenerated = GeneratedColumns.ofUpdate(target, table.layout(), isAssigned, imageSource, source);
        wholeGenerated = GeneratedColumns.ofUpdate(target, table.layout(), isAssigned, imageSource, imageSource);
        changedChecks =
                RowChecks.ofUpdate(target, table.layout(), column -> contains(columns, column), imageSource, source);
        wholeChecks = RowChecks.ofRow(target, table.layout(), imageSource);
        returned = ReturnedRows.of(update.returning(), yielded, table.layout(), imageSource);
        pointRead = oneRow ? PointRead.of(producer, source, shape.variableColumns()) : null;
        frame = new Frame(relations.sourceCount(), context.temporary(), new ParameterSlots());
    }

    private static Index index(Table target, Relation.IndexScan scan) {
        return target.indexes().stream()
                .filter(index -> index.id() == scan.key().index())
                .findFirst()
                .orElseThrow();
    }

    private static boolean contains(int[] columns, int column) {
        return IntStream.of(columns).anyMatch(changed -> changed == column);
    }

    private Course course(Table target, TargetRows rows, int[] columns) {
        boolean unique = target.indexes().stream().anyMatch(index -> index.unique() && changes(index, columns));
        if (unique) {
            return Course.REPLACE;
        }
        Optional<Relation.IndexScan> scan = rows.indexScan();
        boolean walksChanged = scan.isPresent() && changes(index(target, scan.get()), columns);
        return walksChanged || movesKey ? Course.COLLECT : Course.AT_ONCE;
    }

    private static boolean changes(Index index, int[] columns) {
        return IntStream.of(columns).anyMatch(index::dependsOn);
    }

    private static List<Evaluator> values(Table target, Update update, List<Evaluator> cells) {
        ExpressionCompiler expressions = new ExpressionCompiler(cells);
        List<Evaluator> values = new ArrayList<>();
        for (Assignment assignment : update.assignments()) {
            values.add(expressions.storedIn(
                    assignment.value(),
                    target.columns().get(assignment.column()).type()));
        }
        return values;
    }

    /** All columns of the row as it will be. */
    private static List<Evaluator> newRow(Table target, List<Evaluator> cells, int[] columns, List<Evaluator> values) {
        List<Evaluator> row = new ArrayList<>(cells);
        for (int i = 0; i < columns.length; i++) {
            row.set(columns[i], NamedValues.at(target.columnText(columns[i]), values.get(i)));
        }
        return row;
    }

    private Consumer consumer() {
        return switch (course) {
            case AT_ONCE ->
                current -> {
                    change(current);
                    return true;
                };
            case COLLECT ->
                current -> {
                    collected.add(current.rows[source]);
                    return true;
                };
            case REPLACE ->
                current -> {
                    collected.add(current.rows[source]);
                    images.add(copies.write(current));
                    return true;
                };
        };
    }

    private void change(Frame current) {
        RowImage image = table.image();
        image.clear();
        assignments.write(current, image);
        if (movesKey) {
            table.checkStays();
        }
        current.rows[imageSource] = image.address();
        changedGenerated.write(current, image);
        changedChecks.check(current);
        long row = table.rows().update(current.rows[source], image, shape);
        count++;
        if (references != null) {
            references.written(row);
        }
        if (returned != null) {
            returned.add(current, row);
        }
    }

    /** The rows that the write returns; null for a count. */
    @Nullable ReturnedRows returned() {
        return returned;
    }

    @Override
    public @Nullable PointRead pointRead() {
        return pointRead;
    }

    @Override
    public Frame frame() {
        return frame;
    }

    @Override
    public long run(Frame current, ResultBlockWriter rows, boolean alone) {
        count = 0;
        if (oneRow) {
            // One operation of the store undoes itself.
            producer.run(current);
            return count;
        }
        try {
            return Undoing.run(table.undo(), () -> {
                runAll(current);
                return count;
            });
        } finally {
            collected.shrink();
            images.shrink();
        }
    }

    private void runAll(Frame current) {
        collected.clear();
        images.clear();
        table.rows().begin();
        if (references != null) {
            references.begin();
        }
        producer.run(current);
        changeCollected(current);
        if (references != null) {
            references.finish();
        }
        table.rows().finish();
    }

    private void changeCollected(Frame current) {
        long mark = current.temporary.position();
        if (course == Course.COLLECT) {
            for (int i = 0; i < collected.size(); i++) {
                budget.spendRow();
                current.rows[source] = collected.get(i);
                change(current);
                current.temporary.reset(mark);
            }
        } else if (course == Course.REPLACE) {
            replace(current);
        }
    }

    private void replace(Frame current) {
        for (int i = 0; i < collected.size(); i++) {
            budget.spendRow();
            table.rows().delete(collected.get(i));
        }
        RowImage image = table.image();
        for (int i = 0; i < images.size(); i++) {
            budget.spendRow();
            copies.read(images.get(i), image);
            table.checkStays();
            current.rows[imageSource] = image.address();
            wholeGenerated.write(current, image);
            wholeChecks.check(current);
            long row = table.rows().insert(image);
            count++;
            if (references != null) {
                references.replaced(collected.get(i), row);
            }
            if (returned != null) {
                returned.add(current, row);
            }
        }
    }
}
