package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Column;
import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Evaluator;
import dev.fulmar.engine.execution.expression.ExpressionCompiler;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.operator.AddressList;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.plan.Expression;
import dev.fulmar.engine.row.RowImage;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.List;

/**
 * Applies a foreign key's ON DELETE or ON UPDATE action to the child rows of a parent row that was deleted or changed
 * its key. Finds these rows by an index of the child table.
 */
final class ReferringTable {
    private static final long WORKING_BYTES = 1 << 20;
    private static final int IMAGE = 0;
    private static final int ROW = 1;

    private final References references;
    private final TableReferences parent;
    private final TableReferences child;
    private final ForeignKey key;
    private final int[] parentPlaces;
    private final int[] childPlaces;
    private final ParentKey parentKey;
    private final TableIndex index;
    private final int[] order;
    private final SearchRange range;
    private final IndexCursor cursor;
    private final RowImage image;
    private final UpdateShape shape;
    private final GeneratedColumns generated;
    private final RowChecks checks;
    private final ColumnAssignments defaults;
    private final Frame frame = new Frame(2, new ScratchMemory(WORKING_BYTES), new ParameterSlots());

    ReferringTable(References references, TableReferences parent, TableReferences child, ForeignKey key) {
        this.references = references;
        this.parent = parent;
        this.child = child;
        this.key = key;
        parentPlaces = key.parentPlaces(parent.table());
        childPlaces = key.places(child.table());
        parentKey = new ParentKey(parent.store(), parent.table(), key);
        List<Integer> places = Arrays.stream(childPlaces).boxed().toList();
        Index found = child.table().indexes().stream()
                .filter(candidate -> leadsTo(candidate, places))
                .filter(candidate -> child.store().index(candidate.id()).isOrdered())
                .findFirst()
                .orElseThrow(() -> Invariants.breach("the columns of a foreign key are indexed"));
        index = child.store().index(found.id());
        order = order(found, places);
        range = index.newRange();
        cursor = index.newCursor();
        TableStore store = child.store();
        image = new RowImage(store.layout());
        int[] changed = GeneratedColumns.changed(child.table(), childPlaces);
        shape = store.updateShape(changed);
        generated = GeneratedColumns.ofUpdate(child.table(), store.layout(), places::contains, IMAGE, ROW);
        checks = RowChecks.ofUpdate(
                child.table(),
                store.layout(),
                column -> Arrays.stream(changed).anyMatch(each -> each == column),
                IMAGE,
                ROW);
        defaults = defaults();
    }

    /** The default values of the referring columns; none if the key does not set them. */
    private ColumnAssignments defaults() {
        int[] places = key.setsDefaults() ? childPlaces : new int[0];
        return new ColumnAssignments(
                places,
                Arrays.stream(places)
                        .mapToObj(place -> defaultOf(child.table().columns().get(place)))
                        .toList());
    }

    private static Evaluator defaultOf(Column column) {
        Expression value = column.defaultValue();
        return new ExpressionCompiler(List.of())
                .storedIn(value == null ? new Expression.Literal(column.type(), null) : value, column.type());
    }

    /** Whether the first columns of the index are those at the places, in any order. */
    static boolean leadsTo(Index index, List<Integer> places) {
        boolean fits = index.kind() == IndexKind.ORDERED
                ? index.columns().size() >= places.size()
                : index.columns().size() == places.size();
        return fits
                && index.condition().isEmpty()
                && index.columns().subList(0, places.size()).stream()
                        .allMatch(column -> places.contains(column.column()));
    }

    /** The place of the key's column for each of the index's first columns. */
    static int[] order(Index index, List<Integer> places) {
        return index.columns().stream()
                .limit(places.size())
                .mapToInt(column -> places.indexOf(column.column()))
                .toArray();
    }

    /** Does with the rows that referred to the key what follows; returns whether there must be none of them. */
    boolean follow(References.Gone gone) {
        RowLayout layout = parent.store().layout();
        if (TableReferences.hasNull(gone.row(), parentPlaces) || parentKey.exists(layout, gone.row(), parentPlaces)) {
            return false;
        }
        ForeignKey.Action action = gone.after() == 0 ? key.onDelete() : key.onUpdate();
        if (action == ForeignKey.Action.NO_ACTION) {
            return true;
        }
        AddressList rows = rows(gone.row());
        for (int i = 0; i < rows.size(); i++) {
            references.context().budget().spendRow();
            long row = rows.get(i);
            if (action == ForeignKey.Action.CASCADE && gone.after() == 0) {
                references.deleted(child, row);
                child.rows().delete(row);
            } else {
                change(row, action, gone.after());
            }
        }
        return false;
    }

    private AddressList rows(long parentRow) {
        AddressList rows = new AddressList();
        open(parentRow);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(row);
        }
        return rows;
    }

    private void open(long parentRow) {
        range.reset();
        SearchKey prefix = range.prefix();
        for (int position : order) {
            prefix.addColumn(parent.store().layout(), parentRow, parentPlaces[position]);
        }
        index.open(cursor, range, false);
    }

    /** Gives the row the new key of the parent's row, none, or the one that is the default. */
    private void change(long row, ForeignKey.Action action, long parentRow) {
        image.clear();
        frame.transactionMicros = references.context().transactionMicros();
        frame.temporary.clear();
        if (action == ForeignKey.Action.SET_DEFAULT) {
            defaults.write(frame, image);
        } else {
            for (int i = 0; i < childPlaces.length; i++) {
                if (action == ForeignKey.Action.SET_NULL) {
                    image.setNull(childPlaces[i]);
                } else {
                    copy(parentRow, parentPlaces[i], childPlaces[i]);
                }
            }
        }
        frame.rows[IMAGE] = image.address();
        frame.rows[ROW] = row;
        generated.write(frame, image);
        checks.check(frame);
        references.written(child, child.rows().update(row, image, shape));
    }

    private void copy(long from, int column, int to) {
        RowLayout layout = parent.store().layout();
        switch (layout.kind(column)) {
            case BYTE, SHORT, INT, LONG -> image.setLong(to, layout.getLong(from, column));
            case FLOAT, DOUBLE -> image.setDouble(to, layout.getDouble(from, column));
            case WIDE -> image.setWide(to, layout.wideHigh(from, column), layout.wideLow(from, column));
            case BYTES -> image.setBytes(to, layout.bytesAddress(from, column), layout.bytesLength(from, column));
        }
    }

    /** Fails if a row still refers to the one that is gone. */
    void requireNone(long row) {
        open(row);
        if (cursor.next() != 0) {
            Table table = child.table();
            throw new FulmarException(
                    ErrorCode.FOREIGN_KEY_VIOLATION,
                    "a row of " + parent.table().name() + " is referred to by a row of " + table.name() + " ("
                            + key.name() + "); delete or change that one first");
        }
    }
}
