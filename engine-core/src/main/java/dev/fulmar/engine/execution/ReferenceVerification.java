package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Index;
import dev.fulmar.engine.catalog.IndexColumn;
import dev.fulmar.engine.catalog.IndexKind;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.index.KeyFormat;
import dev.fulmar.engine.index.SearchKey;
import dev.fulmar.engine.index.SearchRange;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ConstraintValidation;
import dev.fulmar.engine.table.IndexBackfill;
import dev.fulmar.engine.table.IndexCursor;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.RowDependency;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableIndex;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.engine.table.UpdateShape;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Verifies that the references of the rows of a table on one partition hold, as a new foreign key demands. A row that
 * was looked at is looked at again when it changes, or when the one that it refers to does, which its index tells.
 */
public final class ReferenceVerification {
    private final PartitionStorage storage;
    private final Table table;
    private final Table parent;
    private final ForeignKey key;

    /** @param table with the foreign key */
    public ReferenceVerification(PartitionStorage storage, Table table, Table parent, ForeignKey key) {
        this.storage = storage;
        this.table = table;
        this.parent = parent;
        this.key = key;
    }

    /** Begins to look while the tables are in use; the rows that refer have an index already. */
    public ConstraintValidation begin() {
        ConstraintValidation proof = storage.beginProof(table.id(), key, proof(), this::reads);
        List<Integer> places = places();
        TableStore rows = storage.table(table.id());
        Index found = table.indexes().stream()
                .filter(index -> ReferringTable.leadsTo(index, places))
                .filter(index -> rows.index(index.id()).isOrdered())
                .findFirst()
                .orElseThrow(() -> Invariants.breach("the columns of a foreign key are indexed"));
        proof.dependOn(new Parents(rows.index(found.id()), found));
        return proof;
    }

    /** Looks at every row, or at those that {@link #begin}'s pieces have left out; fails with FOREIGN_KEY_VIOLATION. */
    public void verify() {
        storage.prove(table.id(), key, proof(), this::reads);
    }

    /** The same for a table whose rows have the same values where they refer, so that one of them tells of all. */
    public void verifyAlike() {
        TableStore rows = storage.table(table.id());
        ScanCursor cursor = rows.newScan();
        rows.open(cursor);
        long row = cursor.next();
        if (row != 0) {
            proof().accept(row);
        }
    }

    /** Begins to build the index by which rows that refer are found, and to look at them. */
    public IndexBackfill beginIndex(Index index) {
        IndexBackfill growing = storage.beginIndex(table, index, proof());
        growing.dependOn(new Parents(growing.index(), index));
        return growing;
    }

    /**
     * Builds the index, or what {@link #beginIndex}'s pieces have left out; fails with FOREIGN_KEY_VIOLATION and leaves
     * nothing of it.
     */
    public void createIndex(Index index) {
        if (!storage.isGrowing(table, index)) {
            verify();
        }
        storage.createIndex(table, index);
    }

    private List<Integer> places() {
        return Arrays.stream(key.places(table)).boxed().toList();
    }

    private boolean reads(int column) {
        return places().contains(column);
    }

    private LongConsumer proof() {
        int[] places = key.places(table);
        RowLayout layout = storage.table(table.id()).layout();
        ParentKey parentKey = new ParentKey(storage.table(parent.id()), parent, key);
        List<IndexColumn> columns = Arrays.stream(places)
                .mapToObj(place -> new IndexColumn(place, false))
                .toList();
        KeyFormat shown = new KeyFormat(layout, new Index(0, key.name(), IndexKind.ORDERED, false, false, columns));
        return row -> {
            if (!TableReferences.hasNull(row, places) && !parentKey.exists(layout, row, places)) {
                throw new FulmarException(
                        ErrorCode.FOREIGN_KEY_VIOLATION,
                        "table " + table.name() + " has a row with " + shown.describeKey(row) + ", and " + parent.name()
                                + " has none that it could refer to by " + key.name()
                                + "; insert that one, or delete or change this one");
            }
        };
    }

    /** The rows that are referred to. */
    private final class Parents implements RowDependency {
        private final TableStore rows = storage.table(parent.id());
        private final int[] parentPlaces = key.parentPlaces(parent);
        private final TableIndex index;
        private final int[] order;
        private final SearchRange range;
        private final IndexCursor cursor;

        Parents(TableIndex index, Index definition) {
            this.index = index;
            order = ReferringTable.order(definition, places());
            range = index.newRange();
            cursor = index.newCursor();
        }

        @Override
        public TableStore watched() {
            return rows;
        }

        @Override
        public boolean isConcernedBy(UpdateShape shape) {
            return Arrays.stream(parentPlaces).anyMatch(shape::changes);
        }

        @Override
        public void dependents(long row, LongConsumer visitor) {
            if (TableReferences.hasNull(row, parentPlaces)) {
                return;
            }
            SearchKey prefix = range.reset().prefix();
            for (int position : order) {
                prefix.addColumn(rows.layout(), row, parentPlaces[position]);
            }
            index.open(cursor, range, false);
            for (long referring = cursor.next(); referring != 0; referring = cursor.next()) {
                visitor.accept(referring);
            }
        }
    }
}
