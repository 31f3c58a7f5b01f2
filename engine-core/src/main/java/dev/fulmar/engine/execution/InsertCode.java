package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.IndexColumn;
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
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.plan.Drawing;
import dev.fulmar.engine.plan.Operation.Insert;
import dev.fulmar.engine.plan.Relation;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.data.ColumnType;
import dev.fulmar.foundation.data.ResultBlockWriter;
import dev.fulmar.foundation.data.ResultLayout;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Inserts rows, or replaces those whose primary key exists. */
final class InsertCode implements FragmentCode {
    private final TableWriter table;
    private final Frame frame;
    private final Producer producer;
    private final boolean byRow;
    private final boolean oneRow;
    private final @Nullable Replacement replacement;
    private final RowChecks checks;
    private final int imageSource;
    private final @Nullable ReturnedRows returned;
    private final @Nullable References references;
    /** The number of the current row of VALUES with several rows, from 1; for messages. */
    private int writtenRow;

    private boolean alone;
    private long count;

    /** The index and key by which an upsert finds the row that exists, and the shape of its change. */
    private record Replacement(TableIndex index, SearchKey key, UpdateShape shape) {}

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
        replacement = insert.upsert() ? replacement(target) : null;
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
        checks = RowChecks.ofRow(target, table.layout(), imageSource);
        references = References.ofInsert(context, operators.catalog(), target, insert.upsert());
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

    private Replacement replacement(Table target) {
        TableIndex index = table.store().primaryIndex();
        int[] columns = IntStream.range(0, target.columns().size()).toArray();
        return new Replacement(index, index.newKey(), table.store().updateShape(columns));
    }

    private Consumer consumer(Table target, Relation source, List<Evaluator> columns) {
        List<Evaluator> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column column = target.columns().get(i);
            ColumnType from = source.columns().get(i);
            values.add(ExpressionCompiler.stored(columns.get(i), from, column.type()));
        }
        ColumnAssignments assignments =
                new ColumnAssignments(IntStream.range(0, columns.size()).toArray(), values);
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
        checks.check(current);
        count++;
        Replacement upsert = replacement;
        long existing = upsert == null ? 0 : find(upsert, image);
        long row = upsert == null || existing == 0
                ? table.rows().insert(image)
                : table.rows().update(existing, image, upsert.shape());
        if (references != null) {
            references.written(row);
        }
        if (returned != null) {
            returned.add(current, row);
        }
    }

    /** The row with the image's primary key, 0 if there is none. A null key is left to the insert to refuse. */
    private long find(Replacement upsert, RowImage image) {
        upsert.key().reset();
        for (IndexColumn column : upsert.index().definition().columns()) {
            if (RowLayout.isNull(image.address(), column.column())) {
                return 0;
            }
            upsert.key().addColumn(table.layout(), image.address(), column.column());
        }
        return upsert.index().find(upsert.key());
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
