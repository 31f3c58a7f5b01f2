package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.ForeignKey;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.TableStore;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Binds the foreign keys from and to one table to the rows of a partition, and checks that a row's parents exist.
 * {@link References} has one for each table that the statement's foreign keys reach.
 */
final class TableReferences {
    private final References references;
    private final Table table;
    private final TableStore store;
    private @Nullable List<Outgoing> outgoing;
    private @Nullable List<ReferringTable> referring;
    private final WrittenRows rows;
    private final boolean refers;

    /** A foreign key of the table, with the key that it refers to. */
    private record Outgoing(ForeignKey key, int[] places, ParentKey parent) {}

    TableReferences(References references, Table table) {
        this.references = references;
        this.table = table;
        rows = new WrittenRows(references.context(), references.catalog(), table);
        store = rows.store();
        refers = !ReferencePlaces.together(table, references.catalog()).isEmpty();
    }

    /** Changes of its rows. */
    WrittenRows rows() {
        return rows;
    }

    Table table() {
        return table;
    }

    TableStore store() {
        return store;
    }

    boolean refers() {
        return refers;
    }

    /** Made when they are needed: tables may refer to each other in a circle. */
    private List<Outgoing> outgoing() {
        List<Outgoing> made = outgoing;
        if (made == null) {
            made = new ArrayList<>();
            for (ForeignKey key : ReferencePlaces.together(table, references.catalog())) {
                Table parent = references.table(key.parent());
                made.add(new Outgoing(
                        key,
                        key.places(table),
                        new ParentKey(references.of(parent).store(), parent, key)));
            }
            outgoing = made;
        }
        return made;
    }

    List<ReferringTable> referring() {
        List<ReferringTable> made = referring;
        if (made == null) {
            made = new ArrayList<>();
            for (ReferencePlaces.Referring each : references.referring(table)) {
                made.add(new ReferringTable(references, this, references.of(each.table()), each.key()));
            }
            referring = made;
        }
        return made;
    }

    /** Fails if the row refers to one that is not there. A reference with a null refers to nothing. */
    void require(long row) {
        for (Outgoing each : outgoing()) {
            if (!hasNull(row, each.places()) && !each.parent().exists(store.layout(), row, each.places())) {
                throw new FulmarException(
                        ErrorCode.FOREIGN_KEY_VIOLATION,
                        "a row of " + table.name() + " refers by " + each.key().name() + " to a row of "
                                + each.key().parent() + " that is not there; insert that one first");
            }
        }
    }

    static boolean hasNull(long row, int[] places) {
        for (int place : places) {
            if (RowLayout.isNull(row, place)) {
                return true;
            }
        }
        return false;
    }
}
