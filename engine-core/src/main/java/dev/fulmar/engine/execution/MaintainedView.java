package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.LongEvaluator;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.expression.RowColumns;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableFold;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One materialized view on one partition, as rows of its source come and go. A least or greatest value that went is found anew when the statement ends, so
 * that many rows that go cost one search.
 */
final class MaintainedView implements TableFold.Fold {
    private static final long WORKING_BYTES = 4 << 20;

    private final Aggregation aggregation;
    private final Table view;
    private final TableStore target;
    private final RowLayout sourceLayout;
    private final RowLayout layout;
    private final UndoLog undo;
    private final Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
    private final @Nullable LongEvaluator condition;
    private final List<ViewMeasure> measures = new ArrayList<>();
    private final List<GroupExtreme> extremes = new ArrayList<>();
    private final RowImage image;
    private final TableIndex index;
    private final SearchKey key;
    private final GroupKey groupKey;
    private final UpdateShape changedMeasures;
    private final UpdateShape changedExtremes;
    private final Set<Long> incomplete = new LinkedHashSet<>();

    /**
     * @param table the source
     * @param source its rows
     * @param target rows of the view
     * @param undo of the view's changes
     */
    MaintainedView(Table table, TableStore source, Table view, TableStore target, UndoLog undo, RowBudget budget) {
        aggregation = view.aggregation().orElseThrow();
        this.view = view;
        this.target = target;
        this.undo = undo;
        sourceLayout = source.layout();
        layout = target.layout();
        List<Evaluator> columns = new ArrayList<>();
        for (int column = 0; column < sourceLayout.columnCount(); column++) {
            columns.add(RowColumns.of(sourceLayout, column, 0, true));
        }
        ExpressionCompiler expressions = new ExpressionCompiler(columns);
        condition = aggregation.condition().map(expressions::condition).orElse(null);
        for (int i = 0; i < aggregation.measures().size(); i++) {
            Aggregation.Measure measure = aggregation.measures().get(i);
            ViewMeasure made = ViewMeasure.of(measure, aggregation.column(i), layout, expressions);
            measures.add(made);
            if (measure.isExtreme()) {
                extremes.add(new GroupExtreme(aggregation, measure, made, table, source, layout, budget));
            }
        }
        image = new RowImage(layout);
        index = target.primaryIndex();
        key = index.newKey();
        groupKey = new GroupKey(aggregation, sourceLayout);
        changedMeasures = target.updateShape(
                IntStream.range(0, measures.size()).map(aggregation::column).toArray());
        changedExtremes = target.updateShape(
                extremes.stream().mapToInt(GroupExtreme::column).toArray());
    }

    /** A statement begins. */
    void begin() {
        incomplete.clear();
    }

    @Override
    public void take(long row) {
        if (!admits(row)) {
            return;
        }
        long existing = find(row);
        if (existing != 0) {
            load(existing);
            add(row);
            target.update(existing, image, changedMeasures, undo);
            return;
        }
        image.clear();
        for (int i = 0; i < aggregation.groups().size(); i++) {
            copyGroup(row, i);
        }
        if (aggregation.isKeyed()) {
            groupKey.write(row, image, aggregation.keyColumn());
        }
        measures.forEach(measure -> measure.begin(image));
        add(row);
        target.insert(image, undo);
    }

    @Override
    public void takeBack(long row) {
        if (!admits(row)) {
            return;
        }
        long existing = required(find(row));
        if (layout.getLong(existing, aggregation.column(0)) == 1) {
            incomplete.remove(existing);
            target.delete(existing, undo);
            return;
        }
        load(existing);
        subtract(row, existing);
        target.update(existing, image, changedMeasures, undo);
    }

    /** A row has changed. */
    void replace(long before, long after) {
        boolean counted = admits(before);
        boolean counts = admits(after);
        if (counted && counts) {
            long existing = required(find(before));
            if (find(after) == existing) {
                load(existing);
                exchange(before, after, existing);
                target.update(existing, image, changedMeasures, undo);
                return;
            }
        }
        if (counted) {
            takeBack(before);
        }
        if (counts) {
            take(after);
        }
    }

    /** The statement has changed all that it changes of the source. */
    @Override
    public void finish() {
        for (long row : incomplete) {
            if (RowLayout.isVisible(row)) {
                image.clear();
                for (GroupExtreme extreme : extremes) {
                    extreme.find(row, image, frame, this::admits);
                }
                target.update(row, image, changedExtremes, undo);
            }
        }
        incomplete.clear();
    }

    private boolean admits(long row) {
        frame.rows[0] = row;
        LongEvaluator known = condition;
        if (known == null) {
            return true;
        }
        long mark = frame.temporary.position();
        boolean isTrue = known.isTrue(frame);
        frame.temporary.reset(mark);
        return isTrue;
    }

    /** The view's row of the group that the row of the source belongs to, 0 if there is none. */
    private long find(long row) {
        if (aggregation.isKeyed()) {
            image.clear();
            groupKey.write(row, image, aggregation.keyColumn());
        }
        key.reset();
        for (IndexColumn column : index.definition().columns()) {
            if (column.column() < aggregation.groups().size()) {
                key.addColumn(
                        sourceLayout,
                        row,
                        aggregation.groups().get(column.column()).place());
            } else {
                key.addColumn(layout, image.address(), column.column());
            }
        }
        return index.find(key);
    }

    private long required(long existing) {
        if (existing == 0) {
            throw new FulmarException(
                    ErrorCode.INTERNAL,
                    "the materialized view " + view.name()
                            + " has no row for one of its source; please report this, and drop the view and create it anew");
        }
        return existing;
    }

    private void load(long existing) {
        image.clear();
        for (int i = 0; i < measures.size(); i++) {
            image.copyColumn(aggregation.column(i), existing);
        }
    }

    private void add(long row) {
        frame.rows[0] = row;
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            measures.get(i).add(frame, image);
            frame.temporary.reset(mark);
        }
    }

    private void subtract(long row, long existing) {
        frame.rows[0] = row;
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            if (measures.get(i).subtract(frame, image)) {
                incomplete.add(existing);
            }
            frame.temporary.reset(mark);
        }
    }

    /** One row of the group goes, and another comes. */
    private void exchange(long before, long after, long existing) {
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            ViewMeasure measure = measures.get(i);
            frame.rows[0] = before;
            boolean isLost = measure.subtract(frame, image);
            frame.rows[0] = after;
            measure.add(frame, image);
            if (isLost && !measure.holds(frame, image)) {
                incomplete.add(existing);
            }
            frame.temporary.reset(mark);
        }
    }

    private void copyGroup(long row, int group) {
        int place = aggregation.groups().get(group).place();
        if (RowLayout.isNull(row, place)) {
            image.setNull(group);
            return;
        }
        switch (sourceLayout.kind(place)) {
            case BYTE, SHORT, INT, LONG -> image.setLong(group, sourceLayout.getLong(row, place));
            case FLOAT, DOUBLE -> image.setDouble(group, sourceLayout.getDouble(row, place));
            case WIDE -> image.setWide(group, sourceLayout.wideHigh(row, place), sourceLayout.wideLow(row, place));
            case BYTES ->
                image.setBytes(group, sourceLayout.bytesAddress(row, place), sourceLayout.bytesLength(row, place));
        }
    }
}
