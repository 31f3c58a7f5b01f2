package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.postgres.copy.CopyStatement;
import dev.fulmar.postgres.setting.SessionSettings;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of a session to the database, each under a handle of its own, and awaits the answer of the last
 * one. For the session's thread.
 */
final class DatabaseRequests {
    private final SessionServices services;
    private final ClientIdentity client;
    private final SessionSettings settings;
    private final AnswerSink sink;
    private long last;

    /** Takes the answer of the last request; null if none is awaited. */
    private @Nullable Consumer<TransactionResponse> awaiting;

    DatabaseRequests(SessionServices services, ClientIdentity client, SessionSettings settings, AnswerSink sink) {
        this.services = services;
        this.client = client;
        this.settings = settings;
        this.sink = sink;
    }

    /** Number of the last request. */
    long last() {
        return last;
    }

    /** Whether the session waits for the answer of the last request. */
    boolean isAwaited() {
        return awaiting != null;
    }

    /** Awaits the answer of the next request. */
    void await(Consumer<TransactionResponse> then) {
        awaiting = then;
    }

    /** Awaits no answer any more. */
    void leave() {
        awaiting = null;
    }

    /** Takes an answer; false if nobody awaits it. */
    boolean answered(long requestId, TransactionResponse response) {
        Consumer<TransactionResponse> then = awaiting;
        if (requestId != last || then == null) {
            return false;
        }
        awaiting = null;
        then.accept(response);
        return true;
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

    /**
     * Sends statements as one transaction, and returns the number of its request.
     *
     * @param applied runs before the answer comes, if the changes count before they are durable
     */
    long sendTogether(List<CopyStatement> statements, LongConsumer applied) {
        TransactionRequest.AdHoc commit = next("COMMIT", Bound.NO_PARAMETERS);
        services.transactions()
                .executeTogether(
                        statements.stream()
                                .map(each -> commit.with(each.sql(), each.parameters()))
                                .toList(),
                        commit,
                        sink.ofChanges(commit, () -> applied.accept(commit.requestId())));
        return commit.requestId();
    }
}
