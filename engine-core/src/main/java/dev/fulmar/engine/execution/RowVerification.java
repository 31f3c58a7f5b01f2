package dev.fulmar.engine.execution;

import dev.fulmar.engine.catalog.Check;
import dev.fulmar.engine.catalog.Table;
import dev.fulmar.engine.execution.expression.Frame;
import dev.fulmar.engine.execution.expression.ParameterSlots;
import dev.fulmar.engine.execution.value.ScratchMemory;
import dev.fulmar.engine.row.RowLayout;
import dev.fulmar.engine.table.ConstraintValidation;
import dev.fulmar.engine.table.PartitionStorage;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/** Verifies that the rows of a table on one partition meet a condition that is to hold from now on. */
public final class RowVerification {
    private static final long WORKING_BYTES = 16 << 20;

    private final PartitionStorage storage;
    private final int tableId;
    private final Object subject;
    private final LongConsumer proof;
    private final IntPredicate reads;

    private RowVerification(
            PartitionStorage storage, int tableId, Object subject, LongConsumer proof, IntPredicate reads) {
        this.storage = storage;
        this.tableId = tableId;
        this.subject = subject;
        this.proof = proof;
        this.reads = reads;
    }

    /** Whether each row meets the condition; what fails fails with CHECK_VIOLATION. */
    public static RowVerification of(PartitionStorage storage, Table table, Check check) {
        Frame frame = new Frame(1, new ScratchMemory(WORKING_BYTES), new ParameterSlots());
        RowLayout layout = storage.table(table.id()).layout();
        RowChecks checks = RowChecks.ofRow(table, List.of(check), layout, 0);
        LongConsumer proof = row -> {
            frame.rows[0] = row;
            checks.check(frame);
        };
        return new RowVerification(storage, table.id(), check, proof, check::reads);
    }

    /** Whether the column is null in no row; what fails fails with NOT_NULL_VIOLATION. */
    public static RowVerification ofNotNull(PartitionStorage storage, Table table, int column) {
        LongConsumer proof = row -> {
            if (RowLayout.isNull(row, column)) {
                throw new FulmarException(
                        ErrorCode.NOT_NULL_VIOLATION,
                        "column " + table.columns().get(column).name() + " of " + table.name()
                                + " is null in a row; give it a value in every row first");
            }
        };
        return new RowVerification(storage, table.id(), column, proof, other -> other == column);
    }

    /** Looks at every row, or at those that {@link #begin}'s pieces have left out. */
    public void verify() {
        storage.prove(tableId, subject, proof, reads);
    }

    /** Begins to look while the table is in use. */
    public ConstraintValidation begin() {
        return storage.beginProof(tableId, subject, proof, reads);
    }
}
