package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.postgres.copy.CopyStatement;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.List;

/** Sends the requests of a session to the database, each under a handle of its own. For the session's thread. */
final class DatabaseRequests {
    private final SessionServices services;
    private final ClientIdentity client;
    private final SessionSettings settings;
    private final ResponseSink sink;
    private long last;

    DatabaseRequests(SessionServices services, ClientIdentity client, SessionSettings settings, ResponseSink sink) {
        this.services = services;
        this.client = client;
        this.settings = settings;
        this.sink = sink;
    }

    /** Number of the last request. */
    long last() {
        return last;
    }

    /** The next request. */
    TransactionRequest.AdHoc next(String sql, byte[] parameters) {
        return new TransactionRequest.AdHoc(
                client.clientId(),
                ++last,
                settings.statementTimeoutNanos(),
                ReadConsistency.DECLARED,
                sql,
                parameters,
                client.caller());
    }

    /**
     * Sends a request, and returns its number.
     *
     * @param transaction in which it is; 0 for none
     */
    long send(long transaction, String sql, byte[] parameters) {
        TransactionRequest.AdHoc request = next(sql, parameters);
        if (transaction == 0) {
            services.router().submit(request, sink);
        } else {
            services.transactions().execute(transaction, request, sink);
        }
        return request.requestId();
    }

    /** Sends statements as one transaction, and returns the number of its request. */
    long sendTogether(List<CopyStatement> statements) {
        TransactionRequest.AdHoc commit = next("COMMIT", Bound.NO_PARAMETERS);
        services.transactions()
                .executeTogether(
                        statements.stream()
                                .map(each -> commit.with(each.sql(), each.parameters()))
                                .toList(),
                        commit,
                        sink);
        return commit.requestId();
    }
}
