package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.operator.RowBudget;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Invariants;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Finds the least or greatest value of a group by an index of the source that begins with the columns that make groups.
 * Where the value's column follows next, the first row that counts has it; else all rows of the group are looked at. Of
 * a join one table is searched so, by those of its columns that have values of the group, and its rows are looked at
 * together with those that they are joined with.
 */
final class GroupExtreme {
    /** Whether a pair, or a row, counts in a group. */
    interface Counting {
        /** Of the rows of the sources that the frame has, in the group that the view's row is of. */
        boolean counts(long viewRow);
    }

    private final ViewMeasure measure;
    private final RowLayout viewLayout;
    private final int number;
    private final TableStore source;
    private final @Nullable JoinedRows joined;
    private final Index found;
    private final int[] order;
    private final boolean isOrdered;
    private final boolean backwards;
    private final RowBudget budget;
    private @Nullable Search search;

    /** Made when it is first needed: a new view may get its index after its first rows. */
    private record Search(TableIndex index, SearchRange range, IndexCursor cursor) {
        static Search of(TableIndex index) {
            return new Search(index, index.newRange(), index.newCursor());
        }
    }

    GroupExtreme(
            Aggregation aggregation,
            Aggregation.Measure kept,
            ViewMeasure measure,
            List<ViewSource> sources,
            RowLayout viewLayout,
            RowBudget budget) {
        this.measure = measure;
        this.viewLayout = viewLayout;
        this.budget = budget;
        number = aggregation.searched();
        source = sources.get(number).rows();
        joined = aggregation.join().isPresent() ? new JoinedRows(aggregation, 1 - number, sources) : null;
        List<Integer> places = aggregation.searchedColumns();
        found = sources.get(number).table().indexes().stream()
                .filter(candidate -> leadsTo(candidate, places))
                .min(Comparator.comparing(candidate -> !hasNext(candidate, places.size(), aggregation, kept)))
                .orElseThrow(() -> Invariants.breach("the columns of the groups of a view with extremes are indexed"));
        order = found.columns().stream()
                .limit(places.size())
                .mapToInt(column -> group(aggregation, column.column()))
                .toArray();
        isOrdered = hasNext(found, places.size(), aggregation, kept);
        boolean greatest = kept.function() == Aggregation.Function.MAX;
        backwards = isOrdered && greatest != found.columns().get(places.size()).descending();
    }

    /** The first group whose value the column of the table that is searched has. */
    private static int group(Aggregation aggregation, int column) {
        for (int i = 0; i < aggregation.groups().size(); i++) {
            if (aggregation.searchedColumn(aggregation.groups().get(i)).equals(OptionalInt.of(column))) {
                return i;
            }
        }
        throw Invariants.breach("what is searched by has values of the group");
    }

    /**
     * Whether the index finds the rows of a group: an ordered one of all rows that begins with the columns, in any
     * order.
     */
    static boolean leadsTo(Index index, List<Integer> places) {
        return index.kind() == IndexKind.ORDERED
                && index.columns().size() >= places.size()
                && ReferringTable.leadsTo(index, places);
    }

    private static boolean hasNext(Index index, int from, Aggregation aggregation, Aggregation.Measure kept) {
        List<IndexColumn> columns = index.columns();
        return columns.size() > from
                && kept.argument().orElseThrow() instanceof Expression.ColumnReference reference
                && aggregation.sourceOf(reference.index()) == aggregation.searched()
                && aggregation.columnOf(reference.index()) == columns.get(from).column();
    }

    int column() {
        return measure.column();
    }

    /** Puts the value of the group of the view's row into the image. */
    void find(long viewRow, RowImage image, Frame frame, Counting counting) {
        measure.begin(image);
        IndexCursor cursor = open(viewRow);
        boolean isFound = false;
        for (long row = cursor.next(); row != 0 && !isFound; row = cursor.next()) {
            budget.spendRow();
            frame.rows[number] = row;
            isFound = look(viewRow, image, frame, counting) && isOrdered;
        }
    }

    /** Looks at what the row of the frame stands for; whether there is a value now. */
    private boolean look(long viewRow, RowImage image, Frame frame, Counting counting) {
        JoinedRows others = joined;
        if (others == null) {
            add(viewRow, image, frame, counting);
        } else {
            others.open(frame.rows[number]);
            for (long other = others.next(); other != 0; other = others.next()) {
                budget.spendRow();
                frame.rows[1 - number] = other;
                add(viewRow, image, frame, counting);
            }
        }
        return !RowLayout.isNull(image.address(), measure.column());
    }

    private void add(long viewRow, RowImage image, Frame frame, Counting counting) {
        if (counting.counts(viewRow)) {
            long mark = frame.temporary.position();
            measure.add(frame, image);
            frame.temporary.reset(mark);
        }
    }

    private IndexCursor open(long viewRow) {
        Search known = search;
        if (known == null) {
            known = Search.of(source.index(found.id()));
            search = known;
        }
        known.range().reset();
        SearchKey prefix = known.range().prefix();
        for (int group : order) {
            prefix.addColumn(viewLayout, viewRow, group);
        }
        known.index().open(known.cursor(), known.range(), backwards);
        return known.cursor();
    }
}
