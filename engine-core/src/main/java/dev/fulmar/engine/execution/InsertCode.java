package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.NamedValues;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.Consumer;
import dev.fulmar.engine.execution.operator.KeptRows;
import dev.fulmar.engine.execution.operator.OperatorContext;
import dev.fulmar.engine.execution.operator.Producer;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.execution.value.ErrorPlaces;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Operation.Insert;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inserts rows; those whose unique key exists may change others instead. */
final class InsertCode implements FragmentCode {
    private final TableWriter table;
    private final Frame frame;
    private final Producer producer;
    private final boolean byRow;
    private final boolean oneRow;
    private final ConflictCode conflicts;
    private final GeneratedColumns generated;
    private final RowChecks checks;
    private final int imageSource;
    private final @Nullable ReturnedRows returned;
    private final @Nullable References references;
    /** The number of the current row of VALUES with several rows, from 1; for messages. */
    private int writtenRow;

    private boolean alone;
    private long count;

    /** @param byRow each partition takes the rows that belong to it */
    InsertCode(
            RelationCompiler relations,
            OperatorContext operators,
            ExecutionContext context,
            Insert insert,
            boolean byRow,
            ResultLayout yielded) {
        this.byRow = byRow;
        Table target = operators.table(insert.table());
        table = new TableWriter(context, operators.catalog(), target);
        Relation source = insert.source();
        oneRow = source instanceof Relation.Values values && values.rows().size() == 1 && !Drawing.happensIn(source);
        // Rows of what is written are read first: the statement must not see its own.
        producer = readsWhatChanges(source, target, operators.catalog())
                ? KeptRows.of(
                        relations,
                        source,
                        columns -> named(target, columns),
                        columns -> consumer(target, source, columns))
                : relations.compile(source, columns -> consumer(target, source, columns));
        imageSource = relations.newSource();
        generated = GeneratedColumns.ofRow(target, table.layout(), imageSource);
        checks = RowChecks.ofRow(target, table.layout(), imageSource);
        conflicts = ConflictCode.of(insert.onConflict(), table, relations, imageSource, oneRow);
        boolean replaces = insert.onConflict() instanceof ConflictAction.Replace;
        references = References.ofInsert(context, operators.catalog(), target, replaces);
        returned = ReturnedRows.of(insert.returning(), yielded, table.layout(), imageSource);
        frame = new Frame(relations.sourceCount(), context.temporary(), new ParameterSlots());
    }

    /** Values that say in their errors for which column they are. */
    private static List<Evaluator> named(Table target, List<Evaluator> columns) {
        return IntStream.range(0, columns.size())
                .mapToObj(i -> NamedValues.at(target.columnText(i), columns.get(i)))
                .toList();
    }

    /** The table, or one of its materialized views. */
    private static boolean readsWhatChanges(Relation source, Table target, Catalog catalog) {
        return catalog.tables().values().stream()
                .filter(table -> table.id() == target.id() || table.aggregates(target))
                .anyMatch(table -> PlanTables.reads(source, table.id()));
    }

    private Consumer consumer(Table target, Relation source, List<Evaluator> columns) {
        List<Evaluator> values = new ArrayList<>();
        int[] given = IntStream.range(0, columns.size())
                .filter(place -> !target.columns().get(place).isGenerated())
                .toArray();
        for (int place : given) {
            ColumnType to = target.columns().get(place).type();
            values.add(ExpressionCompiler.stored(
                    columns.get(place), source.columns().get(place), to));
        }
        ColumnAssignments assignments = new ColumnAssignments(given, values);
        if (!(source instanceof Relation.Values written) || written.rows().size() == 1) {
            return current -> {
                write(assignments, current);
                return true;
            };
        }
        return current -> {
            writtenRow++;
            try {
                write(assignments, current);
            } catch (FulmarException e) {
                throw ErrorPlaces.ofRow(writtenRow, e);
            }
            return true;
        };
    }

    private void write(ColumnAssignments assignments, Frame current) {
        table.image().clear();
        assignments.write(current, table.image());
        put(current);
    }

    private void put(Frame current) {
        RowImage image = table.image();
        if (!table.ownsImage()) {
            if (byRow && !alone) {
                return;
            }
            throw table.mismatch();
        }
        current.rows[imageSource] = image.address();
        generated.write(current, image);
        checks.check(current);
        long row = conflicts.put(current);
        if (row == 0) {
            return;
        }
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
    public Frame frame() {
        return frame;
    }

    @Override
    public long run(Frame current, ResultBlockWriter rows, boolean runsAlone) {
        alone = runsAlone;
        count = 0;
        writtenRow = 0;
        conflicts.begin();
        try {
            return run(current);
        } finally {
            conflicts.end();
        }
    }

    private long run(Frame current) {
        if (oneRow && references == null && !table.rows().hasViews()) {
            // One operation of the store undoes itself.
            producer.run(current);
            return count;
        }
        return Undoing.run(table.undo(), () -> {
            table.rows().begin();
            if (references == null) {
                producer.run(current);
            } else {
                references.begin();
                producer.run(current);
                references.finish();
            }
            table.rows().finish();
            return count;
        });
    }
}
