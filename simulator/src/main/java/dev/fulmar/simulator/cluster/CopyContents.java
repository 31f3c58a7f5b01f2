package dev.fulmar.simulator.cluster;

import dev.fulmar.coordinator.request.RequestHistory;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.transaction.HandledRequest;
import dev.fulmar.coordinator.transaction.PartitionRuntime;
import dev.fulmar.engine.catalog.Catalog;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** The rows of a copy as text that is the same for equal copies. For tables whose columns are all integers. */
final class CopyContents {
    private CopyContents() {}

    /** @param catalog the newest; a copy that follows need not know it, but has the tables */
    static List<String> of(PartitionRuntime runtime, Catalog catalog) {
        List<String> rows = new ArrayList<>();
        for (Table table : catalog.tables().values()) {
            for (long[] row : of(runtime, table)) {
                StringBuilder text = new StringBuilder(table.name());
                for (long column : row) {
                    text.append(' ').append(column);
                }
                rows.add(text.toString());
            }
        }
        Collections.sort(rows);
        return rows;
    }

    /** The highest timestamp that a row was written with. */
    static long newestChange(PartitionRuntime runtime, Catalog catalog) {
        long newest = 0;
        for (Table table : catalog.tables().values()) {
            if (runtime.storage().hasTable(table.id())) {
                TableStore store = runtime.storage().table(table.id());
                ScanCursor cursor = store.newScan();
                store.open(cursor);
                for (long row = cursor.next(); row != 0; row = cursor.next()) {
                    newest = Math.max(newest, RowLayout.commitTimestamp(row));
                }
            }
        }
        return newest;
    }

    /**
     * The requests that the copy remembers as committed and of which clients know that they appended something, with
     * what they were answered.
     */
    static List<String> outcomes(PartitionRuntime runtime, List<ClusterClient> clients) {
        List<String> outcomes = new ArrayList<>();
        runtime.visitHistory(new RequestHistory.Visitor<>() {
            @Override
            public void outcome(long clientId, long requestId, HandledRequest outcome) {
                if (outcome instanceof HandledRequest.Done(Committed committed)
                        && clients.stream().anyMatch(client -> client.mayRepeat(clientId, requestId))) {
                    outcomes.add("client " + clientId + " request " + requestId + ": " + committed.value() + " "
                            + Arrays.hashCode(committed.results()));
                }
            }

            @Override
            public void forgotten(long clientId, long requestId) {}

            @Override
            public void forgottenClient(long clientId, long highestRequestId) {}
        });
        return outcomes;
    }

    /** The rows of the table, in no order; none if it is not there. */
    static List<long[]> of(PartitionRuntime runtime, Table table) {
        List<long[]> rows = new ArrayList<>();
        if (!runtime.storage().hasTable(table.id())) {
            return rows;
        }
        TableStore store = runtime.storage().table(table.id());
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            long[] columns = new long[store.layout().columnCount()];
            for (int column = 0; column < columns.length; column++) {
                boolean isRowId = table.columns().get(column).isRowId();
                columns[column] = isRowId
                        ? store.layout().wideLow(row, column)
                        : store.layout().getLong(row, column);
            }
            rows.add(columns);
        }
        return rows;
    }
}
