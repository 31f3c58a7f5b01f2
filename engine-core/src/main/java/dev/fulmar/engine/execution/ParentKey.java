package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.check.Invariants;
import java.util.Arrays;
import java.util.List;

/** Looks up whether the parent row of a foreign key exists, by a unique index of the parent table on one partition. */
final class ParentKey {
    private final TableIndex index;
    private final SearchKey key;

    /** The position of the foreign key's column for each column of the index. */
    private final int[] order;

    ParentKey(TableStore store, Table parent, ForeignKey foreign) {
        List<Integer> places =
                Arrays.stream(foreign.parentPlaces(parent)).boxed().toList();
        Index unique = parent.indexes().stream()
                .filter(candidate -> isKey(candidate, places))
                .findFirst()
                .orElseThrow(() -> Invariants.breach("a foreign key refers to a unique key"));
        index = store.index(unique.id());
        key = index.newKey();
        order = unique.columns().stream()
                .mapToInt(column -> places.indexOf(column.column()))
                .toArray();
    }

    /** Whether the index enforces that the columns at these places are a key. */
    static boolean isKey(Index index, List<Integer> places) {
        return index.isConstraint()
                && index.columns().size() == places.size()
                && index.columns().stream().map(IndexColumn::column).allMatch(places::contains);
    }

    /** Whether there is a row with the values that the row has at these places. */
    boolean exists(RowLayout layout, long row, int[] places) {
        key.reset();
        for (int position : order) {
            key.addColumn(layout, row, places[position]);
        }
        return index.find(key) != 0;
    }
}
