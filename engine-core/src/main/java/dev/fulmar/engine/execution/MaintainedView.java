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
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.engine.undo.UndoLog;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one materialized view of a partition up to date as rows of its source, or row pairs of its two sources, come
 * and go. A least or greatest value that went is found anew when the statement ends, so that many rows that go cost one
 * search.
 */
final class MaintainedView {
    private static final long WORKING_BYTES = 4 << 20;

    private final Aggregation aggregation;
    private final Table view;
    private final TableStore target;
    private final RowLayout layout;
    private final UndoLog undo;
    private final Frame frame;
    private final @Nullable LongEvaluator condition;
    private final List<ViewMeasure> measures = new ArrayList<>();
    private final List<GroupExtreme> extremes = new ArrayList<>();
    private final List<SourceColumn> groups;
    private final boolean isFoundByGroup;
    private final RowImage image;
    private final RowImage keyed;
    private final TableIndex index;
    private final SearchKey key;
    private final GroupKey groupKey;
    private final UpdateShape changedMeasures;
    private final UpdateShape changedExtremes;
    private final Set<Long> incomplete = new LinkedHashSet<>();

    /**
     * @param sources each at the place of its number
     * @param target rows of the view
     * @param undo of the view's changes
     */
    MaintainedView(List<ViewSource> sources, Table view, TableStore target, UndoLog undo, RowBudget budget) {
        aggregation = view.aggregation().orElseThrow();
        this.view = view;
        this.target = target;
        this.undo = undo;
        layout = target.layout();
        frame = new Frame(sources.size(), new ScratchMemory(WORKING_BYTES), new ParameterSlots());
        ExpressionCompiler expressions = new ExpressionCompiler(columns(sources));
        condition = aggregation.condition().map(expressions::condition).orElse(null);
        for (int i = 0; i < aggregation.measures().size(); i++) {
            Aggregation.Measure measure = aggregation.measures().get(i);
            ViewMeasure made = ViewMeasure.of(measure, aggregation.column(i), layout, expressions);
            measures.add(made);
            if (measure.isExtreme()) {
                extremes.add(new GroupExtreme(aggregation, measure, made, sources, layout, budget));
            }
        }
        groups = aggregation.groups().stream()
                .map(group -> SourceColumn.of(aggregation, group.place(), sources))
                .toList();
        isFoundByGroup = aggregation.groups().stream()
                .allMatch(group -> aggregation.searchedColumn(group).isPresent());
        image = new RowImage(layout);
        keyed = new RowImage(layout);
        index = target.primaryIndex();
        key = index.newKey();
        groupKey = new GroupKey(aggregation, sources);
        changedMeasures = target.updateShape(
                IntStream.range(0, measures.size()).map(aggregation::column).toArray());
        changedExtremes = target.updateShape(
                extremes.stream().mapToInt(GroupExtreme::column).toArray());
    }

    /**
     * The evaluators that read the column at each place. A column that is gone is one that the view does not read, and
     * any other stands in its place.
     */
    private List<Evaluator> columns(List<ViewSource> sources) {
        List<Evaluator> columns = new ArrayList<>();
        for (int number = 0; number < sources.size(); number++) {
            RowLayout source = sources.get(number).rows().layout();
            int count = number == 0 && aggregation.join().isPresent()
                    ? aggregation.join().get().offset()
                    : source.columnCount();
            for (int column = 0; column < count; column++) {
                columns.add(RowColumns.of(source, column < source.columnCount() ? column : 0, number, true));
            }
        }
        return columns;
    }

    /** Addresses of the rows that a call is about, by the numbers of their tables. */
    long[] rows() {
        return frame.rows;
    }

    /** A statement begins. */
    void begin() {
        incomplete.clear();
    }

    /** The rows count from now on, if the condition is met. */
    void take() {
        if (!admits()) {
            return;
        }
        long existing = find();
        if (existing != 0) {
            load(existing);
            add();
            target.update(existing, image, changedMeasures, undo);
            return;
        }
        image.clear();
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).copyTo(image, i, frame);
        }
        if (aggregation.isKeyed()) {
            groupKey.write(frame, image, aggregation.keyColumn());
        }
        measures.forEach(measure -> measure.begin(image));
        add();
        target.insert(image, undo);
    }

    /** The rows, which hold what they held when they were taken, count no more. */
    void takeBack() {
        if (!admits()) {
            return;
        }
        long existing = required(find());
        long rows = layout.getLong(existing, aggregation.column(0));
        Invariants.check(rows > 0, "a view counts each row of a group that it has taken");
        if (rows == 1) {
            incomplete.remove(existing);
            target.delete(existing, undo);
            return;
        }
        load(existing);
        subtract(existing);
        target.update(existing, image, changedMeasures, undo);
    }

    /** The row of one source has changed. */
    void replace(int number, long before, long after) {
        frame.rows[number] = after;
        boolean counts = admits();
        frame.rows[number] = before;
        boolean counted = admits();
        if (counted && counts) {
            long existing = required(find());
            frame.rows[number] = after;
            if (find() == existing) {
                load(existing);
                exchange(number, before, after, existing);
                target.update(existing, image, changedMeasures, undo);
                return;
            }
        }
        if (counted) {
            frame.rows[number] = before;
            takeBack();
        }
        if (counts) {
            frame.rows[number] = after;
            take();
        }
    }

    /** The statement has changed all that it changes of the sources. */
    void finish() {
        for (long row : incomplete) {
            if (RowLayout.isVisible(row)) {
                image.clear();
                for (GroupExtreme extreme : extremes) {
                    extreme.find(row, image, frame, this::counts);
                }
                target.update(row, image, changedExtremes, undo);
            }
        }
        incomplete.clear();
    }

    /** Whether the rows count in the group of the view's row; they have been found by what they have of the group. */
    private boolean counts(long viewRow) {
        return admits() && (isFoundByGroup || find() == viewRow);
    }

    private boolean admits() {
        LongEvaluator known = condition;
        if (known == null) {
            return true;
        }
        long mark = frame.temporary.position();
        boolean isTrue = known.isTrue(frame);
        frame.temporary.reset(mark);
        return isTrue;
    }

    /** The view's row of the group that the rows belong to, 0 if there is none. */
    private long find() {
        if (aggregation.isKeyed()) {
            keyed.clear();
            groupKey.write(frame, keyed, aggregation.keyColumn());
        }
        key.reset();
        for (IndexColumn column : index.definition().columns()) {
            if (column.column() < groups.size()) {
                groups.get(column.column()).addTo(key, frame);
            } else {
                key.addColumn(layout, keyed.address(), column.column());
            }
        }
        return index.find(key);
    }

    private long required(long existing) {
        if (existing == 0) {
            throw new FulmarException(
                    ErrorCode.INTERNAL,
                    "the materialized view " + view.name()
                            + " has no row for one of its sources; please report this, and drop the view and create it anew");
        }
        return existing;
    }

    private void load(long existing) {
        image.clear();
        for (int i = 0; i < measures.size(); i++) {
            image.copyColumn(aggregation.column(i), existing);
        }
    }

    private void add() {
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            measures.get(i).add(frame, image);
            frame.temporary.reset(mark);
        }
    }

    private void subtract(long existing) {
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            if (measures.get(i).subtract(frame, image)) {
                incomplete.add(existing);
            }
            frame.temporary.reset(mark);
        }
    }

    /** One row of the group goes, and another comes. */
    private void exchange(int number, long before, long after, long existing) {
        long mark = frame.temporary.position();
        for (int i = 0; i < measures.size(); i++) {
            ViewMeasure measure = measures.get(i);
            frame.rows[number] = before;
            boolean isLost = measure.subtract(frame, image);
            frame.rows[number] = after;
            measure.add(frame, image);
            if (isLost && !measure.holds(frame, image)) {
                incomplete.add(existing);
            }
            frame.temporary.reset(mark);
        }
    }
}
