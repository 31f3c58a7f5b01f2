package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.partition.FragmentResult;
import dev.fulmar.engine.partition.FragmentWork;
import dev.fulmar.engine.partition.Partition;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;

/**
 * A fragment of a statement with its parameters. To write it down, the catalog's version, the procedure's name and the numbers of
 * statement and fragment stand for the plan, which every node compiles for itself.
 *
 * @param runtimes where partitions find their own
 * @param program version of the catalog for which the statement was compiled
 * @param fragment position among the statement's fragments, or {@link #WHOLE}
 * @param parameters parameter list of the statement
 * @param transactionMicros the transaction's time
 * @param timeNanos how long the fragment may run
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record StatementFragment(
        PartitionRuntimes runtimes,
        Program program,
        int statement,
        ProcedureStatement procedureStatement,
        int fragment,
        byte[] parameters,
        long transactionMicros,
        long timeNanos)
        implements FragmentWork {
    /** All fragments with what puts their results together, for a statement that needs one partition only. */
    static final int WHOLE = -1;

    @Override
    public FragmentResult run(Partition partition) {
        PartitionRuntime runtime = runtimes.of(partition.id());
        if (runtime.program() != program) {
            throw new FulmarException(
                    ErrorCode.TRANSACTION_RESTART,
                    "the catalog changed while the transaction ran; send the request again");
        }
        return runtime.run(this);
    }
}
