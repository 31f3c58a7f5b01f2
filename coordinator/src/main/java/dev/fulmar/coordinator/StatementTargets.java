package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.Statements;
import dev.fulmar.coordinator.transaction.TargetSource;
import java.util.concurrent.atomic.AtomicReference;

/** Targets of requests under the newest program. */
record StatementTargets(AtomicReference<Program> current, Statements statements) implements TargetSource {
    @Override
    public Prepared prepare(TransactionRequest request) {
        Program program = current.get();
        return switch (request) {
            case TransactionRequest.Call call -> {
                CallTarget target = program.find(call.procedure());
                if (target == null) {
                    throw DatabaseRouter.unknown(call.procedure());
                }
                yield new Prepared(target, program);
            }
            case TransactionRequest.AdHoc adHoc -> {
                PreparedStatement known = statements.find(adHoc.sql(), program);
                yield new Prepared(
                        (known != null ? known : statements.compile(adHoc.sql(), program)).target(), program);
            }
        };
    }
}
