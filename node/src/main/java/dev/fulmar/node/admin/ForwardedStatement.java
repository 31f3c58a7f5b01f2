package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;

/**
 * Implements the system procedures {@code @AdHoc} and {@code @Explain}: submits their SQL text and arguments to the
 * router as an ad hoc statement.
 */
final class ForwardedStatement implements SystemProcedure {
    private final String prefix;
    private final TransactionRouter router;

    /** @param prefix what to put before the SQL */
    ForwardedStatement(String prefix, TransactionRouter router) {
        this.prefix = prefix;
        this.router = router;
    }

    @Override
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        TransactionRequest.AdHoc statement;
        try {
            statement = new CallArguments(request, request.procedure() + "(sql, argument...) with a text first")
                    .statement(0, prefix);
        } catch (FulmarException e) {
            sink.respond(request, Responses.failed(e));
            sink.flush();
            return;
        }
        router.submit(statement, sink);
    }
}
