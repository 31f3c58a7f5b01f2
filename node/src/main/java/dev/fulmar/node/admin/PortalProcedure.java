package dev.fulmar.node.admin;

import dev.fulmar.coordinator.portal.PortalRouter;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.node.server.ClientOrigin;
import dev.fulmar.node.server.SystemProcedure;
import org.jspecify.annotations.Nullable;

/**
 * {@code @Portal(number, rows, query, ...)} opens the connection's portal with the number and answers its first part,
 * with the further arguments as the query's parameters. {@code @Portal(number, rows)} answers the next part, and
 * {@code @Portal(number, 0)} closes it.
 */
final class PortalProcedure implements SystemProcedure {
    private static final String USAGE =
            "@Portal(number of the portal, most rows of a part, query, parameters of the query...) opens it,"
                    + " @Portal(number, rows) fetches the next part, @Portal(number, 0) closes it; see docs/PORTALS.md";

    /** Position of the query among the arguments. */
    private static final int QUERY = 2;

    private final PortalRouter portals;

    PortalProcedure(PortalRouter portals) {
        this.portals = portals;
    }

    @Override
    public void call(TransactionRequest.Call request, ClientOrigin origin, ResponseSink sink) {
        long number;
        int rows;
        TransactionRequest.@Nullable AdHoc query;
        try {
            CallArguments arguments = new CallArguments(request, USAGE);
            number = arguments.whole(0);
            long most = arguments.whole(1);
            boolean opens = arguments.count() > QUERY;
            if (most < (opens ? 1 : 0) || most > Integer.MAX_VALUE) {
                throw arguments.wrong();
            }
            rows = (int) most;
            query = opens ? arguments.statement(QUERY, "") : null;
        } catch (FulmarException e) {
            sink.respond(request, Responses.failed(e));
            sink.flush();
            return;
        }
        if (query != null) {
            portals.open(number, rows, query, sink);
        } else if (rows > 0) {
            portals.fetch(number, rows, request, sink);
        } else {
            portals.close(number, request, sink);
        }
    }
}
