package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.engine.procedure.LoadedProcedure;
import dev.fulmar.engine.procedure.ProcedureStatement;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/**
 * A fragment that a coordinator on another node sent, executed by the plan that this node compiled itself. The message
 * names the statement only; both nodes must use the same version of the catalog.
 *
 * @param planned what the planning of an ad hoc text came to here; null for a procedure
 * @param source whose statement it is
 * @param statement position of the statement in the attempt
 * @param place which statement of the source
 * @param fragment position among the statement's fragments, or {@link StatementFragment#WHOLE}
 * @param parameters parameter list of the statement
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
public record ReceivedFragment(
        PartitionRuntimes runtimes,
        TargetSource.@Nullable Planned planned,
        FragmentSource source,
        int statement,
        StatementPlace place,
        int fragment,
        byte[] parameters)
        implements StatementWork {
    @Override
    public StatementFragment at(PartitionRuntime runtime) {
        Program program = runtime.program();
        return bound(program.catalog().version() == source.catalogVersion() ? program : null);
    }

    @Override
    public StatementFragment readAt(PartitionRuntime runtime, long timestamp) {
        return bound(runtime.snapshotQueries().programs().of(source.catalogVersion(), timestamp));
    }

    private StatementFragment bound(@Nullable Program program) {
        if (program == null) {
            throw StatementFragment.outdated();
        }
        LoadedProcedure procedure = procedure(program);
        ProcedureStatement found = place.in(procedure);
        if (found == null || fragment >= found.compiled().fragmentCount()) {
            throw new FulmarException(
                    ErrorCode.MALFORMED_REQUEST,
                    "another node asks for statement " + place + ", fragment " + fragment + ", which "
                            + procedure.name() + " does not have here; run the same version on all nodes");
        }
        return new StatementFragment(
                runtimes,
                program,
                procedure,
                statement,
                found,
                fragment,
                parameters,
                source.transactionMicros(),
                source.timeNanos(),
                source.tellsImages());
    }

    private LoadedProcedure procedure(Program program) {
        return switch (planned) {
            case null -> named(program);
            case TargetSource.Refused(FulmarException why, Program refuses) ->
                throw refuses == null || refuses.equals(program) ? why : StatementFragment.outdated();
            case TargetSource.Prepared(CallTarget target, Program made) -> {
                if (!made.equals(program)) {
                    throw StatementFragment.outdated();
                }
                yield target.procedure();
            }
        };
    }

    private LoadedProcedure named(Program program) {
        CallTarget target = program.find(source.text());
        if (target == null) {
            throw new FulmarException(
                    ErrorCode.UNKNOWN_PROCEDURE, "procedure " + source.text() + " is not known on this node");
        }
        return target.procedure();
    }
}
