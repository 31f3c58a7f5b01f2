package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * A fragment of a statement with its compiled plan and its parameters, ready to run on a partition. In messages and
 * records the plan, which every node compiles for itself, is named by the catalog's version, the procedure's name and
 * the numbers of statement and fragment.
 *
 * @param runtimes where partitions find their own
 * @param program version of the catalog for which the statement was compiled
 * @param procedure whose statement it is
 * @param fragment position among the statement's fragments, or {@link #WHOLE}
 * @param parameters parameter list of the statement
 * @param transactionMicros the transaction's time
 * @param timeNanos how long the fragment may run
 * @param tellsImages whether its result has the digest of the rows that it changed
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record StatementFragment(
        PartitionRuntimes runtimes,
        Program program,
        LoadedProcedure procedure,
        int statement,
        ProcedureStatement procedureStatement,
        int fragment,
        byte[] parameters,
        long transactionMicros,
        long timeNanos,
        boolean tellsImages)
        implements StatementWork {
    /** All fragments with what puts their results together, for a statement that needs one partition only. */
    public static final int WHOLE = -1;

    @Override
    public StatementFragment at(PartitionRuntime runtime) {
        if (runtime.program() != program) {
            throw outdated();
        }
        return this;
    }

    @Override
    public StatementFragment readAt(PartitionRuntime runtime, long timestamp) {
        if (!runtime.snapshotQueries().programs().isReadWith(program, timestamp)) {
            throw outdated();
        }
        return this;
    }

    static FulmarException outdated() {
        return new FulmarException(
                ErrorCode.TRANSACTION_RESTART, "the catalog changed while the transaction ran; send the request again");
    }
}
