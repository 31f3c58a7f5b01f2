package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.access.Caller;

/**
 * One transaction that a client asks for. The pair of client and request id is the request's handle: a request with the handle of an
 * earlier one is a retry and gets the first outcome. A client that numbers its requests from 1 upwards never reuses one; client id 0
 * asks for no such memory.
 */
public sealed interface TransactionRequest {
    /** Who asks; 0 for a caller that never retries. */
    long clientId();

    /** The client's number for this request. */
    long requestId();

    /** How long the request may wait before it starts, and how long its procedure may run; 0 for the database's default. */
    long timeoutNanos();

    /** The parameters in the format of {@code dev.fulmar.foundation.data}; owned by the request, never changed. */
    byte[] parameters();

    /** What it may show if it only reads, and reads several partitions. */
    ReadConsistency consistency();

    /** Whose rights it needs. */
    Caller caller();

    /** What to show of the request in messages. */
    String subject();

    /** Calls a stored procedure. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record Call(
            long clientId,
            long requestId,
            long timeoutNanos,
            ReadConsistency consistency,
            String procedure,
            byte[] parameters,
            Caller caller)
            implements TransactionRequest {
        /** One that comes from this process itself. */
        public Call(
                long clientId,
                long requestId,
                long timeoutNanos,
                ReadConsistency consistency,
                String procedure,
                byte[] parameters) {
            this(clientId, requestId, timeoutNanos, consistency, procedure, parameters, Caller.TRUSTED);
        }

        /** One that comes from this process itself. */
        public Call(long clientId, long requestId, long timeoutNanos, String procedure, byte[] parameters) {
            this(clientId, requestId, timeoutNanos, ReadConsistency.DECLARED, procedure, parameters);
        }

        @Override
        public String subject() {
            return procedure;
        }
    }

    /** Runs one SQL statement: a query, DML, DDL or EXPLAIN. */
    @SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
    record AdHoc(
            long clientId,
            long requestId,
            long timeoutNanos,
            ReadConsistency consistency,
            String sql,
            byte[] parameters,
            Caller caller)
            implements TransactionRequest {
        /** One that comes from this process itself. */
        public AdHoc(
                long clientId,
                long requestId,
                long timeoutNanos,
                ReadConsistency consistency,
                String sql,
                byte[] parameters) {
            this(clientId, requestId, timeoutNanos, consistency, sql, parameters, Caller.TRUSTED);
        }

        /** One that comes from this process itself. */
        public AdHoc(long clientId, long requestId, long timeoutNanos, String sql, byte[] parameters) {
            this(clientId, requestId, timeoutNanos, ReadConsistency.DECLARED, sql, parameters);
        }

        /** The same request by another text and other parameters, which together say the same. */
        public AdHoc with(String otherSql, byte[] otherParameters) {
            return new AdHoc(clientId, requestId, timeoutNanos, consistency, otherSql, otherParameters, caller);
        }

        @Override
        public String subject() {
            return sql;
        }

        /** Without the text, which may hold a password. */
        @Override
        public String toString() {
            return "an ad hoc statement of request " + clientId + "/" + requestId;
        }
    }
}
