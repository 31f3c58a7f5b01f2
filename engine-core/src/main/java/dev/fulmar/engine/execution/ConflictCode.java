package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.execution.operator.AddressSet;
import dev.fulmar.engine.execution.operator.RelationCompiler;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.plan.ConflictAction;
import dev.fulmar.engine.plan.Operation.Assignment;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the row of a writer's image into its table. If another row has its unique key, does with that one what the
 * insert says. Belongs to one statement.
 */
sealed interface ConflictCode {
    /** The statement begins. */
    default void begin() {}

    /** The statement has ended, whether it failed or not. */
    default void end() {}

    /**
     * The address of the row that was written; 0 if none was.
     *
     * @param frame with the image at the source that the insert gave for it
     */
    long put(Frame frame);

    /**
     * @param image the image's source
     * @param oneRow whether the insert has no more than one row
     */
    static ConflictCode of(
            ConflictAction action, TableWriter table, RelationCompiler relations, int image, boolean oneRow) {
        return switch (action) {
            case ConflictAction.Fail _ -> new Failing(table);
            case ConflictAction.Replace _ ->
                new Replacing(table, new Key(table, table.store().primaryIndex()));
            case ConflictAction.Skip(int index) when index == ConflictAction.Skip.ANY -> new SkippingAny(table);
            case ConflictAction.Skip(int index) ->
                new Skipping(table, new Key(table, table.store().index(index)));
            case ConflictAction.Change change -> new Changing(change, table, relations, image, oneRow);
        };
    }

    /** The unique key by which a row that is there is found. */
    final class Key {
        private final TableWriter table;
        private final TableIndex index;
        private final SearchKey sought;
        private final int[] columns;

        Key(TableWriter table, TableIndex index) {
            this.table = table;
            this.index = index;
            this.sought = index.newKey();
            columns = index.definition().columns().stream()
                    .mapToInt(IndexColumn::column)
                    .toArray();
        }

        /** The row with the image's key, 0 if there is none. A key with a null is that of no other row. */
        long find() {
            long image = table.image().address();
            sought.reset();
            for (int column : columns) {
                if (RowLayout.isNull(image, column)) {
                    return 0;
                }
                sought.addColumn(table.layout(), image, column);
            }
            return index.find(sought);
        }
    }

    /** Inserts. */
    record Failing(TableWriter table) implements ConflictCode {
        @Override
        public long put(Frame frame) {
            return table.rows().insert(table.image());
        }
    }

    /** Inserts, or replaces the row of the primary key. */
    final class Replacing implements ConflictCode {
        private final TableWriter table;
        private final Key key;
        private final UpdateShape shape;

        Replacing(TableWriter table, Key key) {
            this.table = table;
            this.key = key;
            int[] columns = IntStream.range(0, table.table().columns().size()).toArray();
            shape = table.store().updateShape(columns);
        }

        @Override
        public long put(Frame frame) {
            long existing = key.find();
            return existing == 0
                    ? table.rows().insert(table.image())
                    : table.rows().update(existing, table.image(), shape);
        }
    }

    /** Inserts if no row has the key. */
    record Skipping(TableWriter table, Key key) implements ConflictCode {
        @Override
        public long put(Frame frame) {
            table.layout().checkNotNull(table.image().address());
            return key.find() == 0 ? table.rows().insert(table.image()) : 0;
        }
    }

    /**
     * Inserts if no row of the partition has one of the unique keys, be it computed or of some rows only. Rows of other
     * partitions with a key over partitions are found by the steps of the statement.
     */
    final class SkippingAny implements ConflictCode {
        private final TableWriter table;
        private final TableIndex[] keys;

        SkippingAny(TableWriter table) {
            this.table = table;
            keys = table.store().indexes().stream()
                    .filter(index -> index.definition().unique())
                    .toArray(TableIndex[]::new);
        }

        @Override
        public long put(Frame frame) {
            long image = table.image().address();
            table.layout().checkNotNull(image);
            int bucket = table.store().bucketOf(image);
            for (TableIndex key : keys) {
                if (key.refuses(bucket, image)) {
                    return 0;
                }
            }
            return table.rows().insert(table.image());
        }
    }

    /** Inserts, or changes the row of the key. */
    final class Changing implements ConflictCode {
        private final TableWriter table;
        private final Key key;
        private final int existing;
        private final int changedImage;
        private final RowImage changed;
        private final ColumnAssignments assignments;
        private final @Nullable LongEvaluator condition;
        private final UpdateShape shape;
        private final GeneratedColumns generated;
        private final RowChecks checks;

        /** Rows that the statement has written; null if it writes no more than one. */
        private final @Nullable AddressSet written;

        Changing(
                ConflictAction.Change change,
                TableWriter table,
                RelationCompiler relations,
                int image,
                boolean oneRow) {
            this.table = table;
            Table target = table.table();
            key = new Key(table, table.store().index(change.index()));
            existing = relations.newSource();
            changedImage = relations.newSource();
            changed = new RowImage(table.layout());
            int[] assigned =
                    change.assignments().stream().mapToInt(Assignment::column).toArray();
            int[] columns = GeneratedColumns.changed(target, assigned);
            ExpressionCompiler expressions = new ExpressionCompiler(cells(table.layout(), existing, image));
            List<Evaluator> values = new ArrayList<>();
            for (Assignment each : change.assignments()) {
                values.add(expressions.storedIn(
                        each.value(), target.columns().get(each.column()).type()));
            }
            assignments = new ColumnAssignments(assigned, values);
            condition = change.condition() == null ? null : expressions.condition(change.condition());
            shape = table.store().updateShape(columns);
            generated = GeneratedColumns.ofUpdate(
                    target,
                    table.layout(),
                    column -> IntStream.of(assigned).anyMatch(each -> each == column),
                    changedImage,
                    existing);
            checks = RowChecks.ofUpdate(
                    target,
                    table.layout(),
                    column -> IntStream.of(columns).anyMatch(each -> each == column),
                    changedImage,
                    existing);
            written = oneRow ? null : new AddressSet();
        }

        private static List<Evaluator> cells(RowLayout layout, int existing, int image) {
            List<Evaluator> cells = new ArrayList<>();
            for (int source : new int[] {existing, image}) {
                for (int column = 0; column < layout.columnCount(); column++) {
                    cells.add(RowColumns.of(layout, column, source, true));
                }
            }
            return cells;
        }

        @Override
        public void begin() {
            if (written != null) {
                written.clear();
            }
        }

        @Override
        public void end() {
            if (written != null) {
                written.shrink();
            }
        }

        @Override
        public long put(Frame frame) {
            table.layout().checkNotNull(table.image().address());
            long there = key.find();
            long row = there == 0 ? table.rows().insert(table.image()) : change(there, frame);
            if (written != null && row != 0) {
                written.add(row);
            }
            return row;
        }

        private long change(long there, Frame frame) {
            if (written != null && written.contains(there)) {
                throw new FulmarException(
                        ErrorCode.CARDINALITY_VIOLATION,
                        "ON CONFLICT DO UPDATE would change a row of "
                                + table.table().name() + " twice; insert no two rows with one key");
            }
            frame.rows[existing] = there;
            long mark = frame.temporary.position();
            boolean isMet = condition == null || (condition.evaluate(frame) != 0 && !frame.isNull);
            if (isMet) {
                changed.clear();
                assignments.write(frame, changed);
            }
            frame.temporary.reset(mark);
            if (!isMet) {
                return 0;
            }
            frame.rows[changedImage] = changed.address();
            generated.write(frame, changed);
            checks.check(frame);
            return table.rows().update(there, changed, shape);
        }
    }
}
