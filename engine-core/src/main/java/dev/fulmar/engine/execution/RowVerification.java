package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.engine.table.ScanCursor;
import dev.fulmar.engine.table.TableStore;
import java.util.List;

/** Looks whether the rows of a table on one partition meet what is to hold from now on. */
public final class RowVerification {
    private static final long WORKING_BYTES = 16 << 20;

    private RowVerification() {}

    /** Fails with CHECK_VIOLATION if a row breaks the condition. */
    public static void verify(PartitionStorage storage, Table table, Check check) {
        TableStore store = storage.table(table.id());
        Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
        RowChecks checks = RowChecks.ofRow(table, List.of(check), store.layout(), 0);
        ScanCursor cursor = store.newScan();
        store.open(cursor);
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            frame.rows[0] = row;
            checks.check(frame);
        }
    }
}
