package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Aggregation;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
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
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the least or greatest value of a group by an index of the source that begins with the columns that make groups. Where the value's column follows next, the
 * first row that counts has it; else all rows of the group are looked at.
 */
final class GroupExtreme {
    private final ViewMeasure measure;
    private final RowLayout viewLayout;
    private final TableStore source;
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
            Table table,
            TableStore source,
            RowLayout viewLayout,
            RowBudget budget) {
        this.measure = measure;
        this.viewLayout = viewLayout;
        this.budget = budget;
        this.source = source;
        List<Integer> places =
                aggregation.groups().stream().map(Aggregation.Group::place).toList();
        found = table.indexes().stream()
                .filter(candidate -> leadsTo(candidate, places))
                .min(Comparator.comparing(candidate -> !hasNext(candidate, places.size(), kept)))
                .orElseThrow(() -> Invariants.breach("the columns of the groups of a view with extremes are indexed"));
        order = found.columns().stream()
                .limit(places.size())
                .mapToInt(column -> places.indexOf(column.column()))
                .toArray();
        isOrdered = hasNext(found, places.size(), kept);
        boolean greatest = kept.function() == Aggregation.Function.MAX;
        backwards = isOrdered && greatest != found.columns().get(places.size()).descending();
    }

    /** Whether rows of a group are found by the index: an ordered one of all rows that begins with the columns at the places, in any order. */
    static boolean leadsTo(Index index, List<Integer> places) {
        return index.kind() == IndexKind.ORDERED
                && index.columns().size() >= places.size()
                && ReferringTable.leadsTo(index, places);
    }

    private static boolean hasNext(Index index, int from, Aggregation.Measure kept) {
        List<IndexColumn> columns = index.columns();
        return columns.size() > from
                && kept.argument().orElseThrow() instanceof Expression.ColumnReference reference
                && reference.index() == columns.get(from).column();
    }

    int column() {
        return measure.column();
    }

    /** Puts the value of the group of the view's row into the image. */
    void find(long viewRow, RowImage image, Frame frame, LongPredicate admits) {
        measure.begin(image);
        IndexCursor cursor = open(viewRow);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            budget.spendRow();
            if (!admits.test(row)) {
                continue;
            }
            frame.rows[0] = row;
            long mark = frame.temporary.position();
            measure.add(frame, image);
            frame.temporary.reset(mark);
            if (isOrdered && !RowLayout.isNull(image.address(), measure.column())) {
                return;
            }
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
