package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.TargetSource;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.FulmarException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds, for coordinators and participants of multi-partition transactions, the procedure that a request calls or its
 * compiled SQL statement. It compiles a statement that the newest catalog's program does not have yet.
 */
record StatementTargets(AtomicReference<Program> current, Statements statements) implements TargetSource {
    @Override
    public @Nullable Prepared find(TransactionRequest request) {
        return find(request, current.get());
    }

    private @Nullable Prepared find(TransactionRequest request, Program program) {
        CallTarget target = switch (request) {
            case TransactionRequest.Call call -> program.find(call.procedure());
            case TransactionRequest.AdHoc adHoc -> {
                PreparedStatement known = statements.find(adHoc.sql(), program);
                yield known == null ? null : known.target();
            }
            case TransactionRequest.Script script -> throw noTarget(script);
        };
        return target == null ? null : new Prepared(target, program);
    }

    @Override
    public Prepared prepare(TransactionRequest request) {
        return prepare(request, current.get());
    }

    @Override
    public Planned plan(TransactionRequest request) {
        Program program = current.get();
        try {
            return prepare(request, program);
        } catch (FulmarException e) {
            return new Refused(e, program);
        }
    }

    private Prepared prepare(TransactionRequest request, Program program) {
        Prepared known = find(request, program);
        if (known != null) {
            return known;
        }
        return switch (request) {
            case TransactionRequest.Call call -> throw Program.unknown(call.procedure());
            case TransactionRequest.AdHoc adHoc ->
                new Prepared(statements.compile(adHoc.sql(), program).target(), program);
            case TransactionRequest.Script script -> throw noTarget(script);
        };
    }

    private static FulmarException noTarget(TransactionRequest.Script script) {
        return Invariants.breach("each statement has a target of its own in " + script.subject());
    }
}
