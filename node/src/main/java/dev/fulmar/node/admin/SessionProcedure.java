package dev.fulmar.node.admin;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.session.SessionRouter;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;

/**
 * {@code @Session(number, statement, ...)} executes a statement of the connection's transaction with the number, with
 * the further arguments as its parameters. {@code BEGIN} opens it, {@code COMMIT} or {@code ROLLBACK} ends it.
 */
final class SessionProcedure implements SystemProcedure {
    private static final String USAGE =
            "@Session(number of the transaction, statement, parameters of the statement...); see docs/SESSIONS.md";

    private final SessionRouter sessions;

    SessionProcedure(SessionRouter sessions) {
        this.sessions = sessions;
    }

    @Override
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        long number;
        TransactionRequest.AdHoc statement;
        try {
            CallArguments arguments = new CallArguments(request, USAGE);
            number = arguments.whole(0);
            statement = arguments.statement(1, "");
        } catch (FulmarException e) {
            sink.respond(request, Responses.failed(e));
            sink.flush();
            return;
        }
        sessions.execute(number, statement, sink);
    }
}
