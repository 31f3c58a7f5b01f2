package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.access.Caller;
import java.util.List;

/**
 * One transaction that a client asks for. The pair of client and request id is the request's handle: a request with the
 * handle of an earlier one is a retry. It gets the first outcome. A client that numbers its requests from 1 upwards
 * never reuses one; client id 0 asks for no such memory.
 */
public sealed interface TransactionRequest {
    /** The client's id; 0 for a caller that never retries. */
    long clientId();

    /** The client's number for this request. */
    long requestId();

    /**
     * Time that the request may wait before it starts, and that its procedure may run; 0 for the database's default.
     */
    long timeoutNanos();

    /** The parameters in the format of {@code dev.fulmar.foundation.data}; owned by the request, never changed. */
    byte[] parameters();

    /** Bytes of its parameters, and of texts where there are many. */
    default long bytes() {
        return parameters().length;
    }

    /** The consistency of its reads if it only reads, and reads several partitions. */
    ReadConsistency consistency();

    /** The caller whose rights it needs. */
    Caller caller();

    /**
     * The newest version of the catalog that its sender knew when it gave the request its handle; 0 if it does not say.
     * All retries say the same. A request is not executed where it would go to another place than at that version: the
     * handle may be known at the earlier place.
     */
    long catalogVersion();

    /**
     * The version of the catalog as senders are told it, which is at least 1. Version 0 is empty, so nothing can be
     * executed with it, and it looks like a sender that does not say.
     */
    static long toldVersion(long version) {
        return Math.max(1, version);
    }

    /** The same request of a sender that knew that version of the catalog. */
    TransactionRequest sentAt(long version);

    /** The request's subject for messages: the procedure's name or the SQL text. */
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
            Caller caller,
            long catalogVersion)
            implements TransactionRequest {
        /** One whose sender does not say what it knew of the catalog. */
        public Call(
                long clientId,
                long requestId,
                long timeoutNanos,
                ReadConsistency consistency,
                String procedure,
                byte[] parameters,
                Caller caller) {
            this(clientId, requestId, timeoutNanos, consistency, procedure, parameters, caller, 0);
        }

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
        public Call sentAt(long version) {
            return new Call(clientId, requestId, timeoutNanos, consistency, procedure, parameters, caller, version);
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
            Caller caller,
            long catalogVersion)
            implements TransactionRequest {
        /** One whose sender does not say what it knew of the catalog. */
        public AdHoc(
                long clientId,
                long requestId,
                long timeoutNanos,
                ReadConsistency consistency,
                String sql,
                byte[] parameters,
                Caller caller) {
            this(clientId, requestId, timeoutNanos, consistency, sql, parameters, caller, 0);
        }

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
            return new AdHoc(
                    clientId, requestId, timeoutNanos, consistency, otherSql, otherParameters, caller, catalogVersion);
        }

        /** The same request behind another one, whose text it uses if that says the same. */
        public AdHoc behind(AdHoc before) {
            return before.sql.equals(sql) ? with(before.sql, parameters) : this;
        }

        @Override
        public AdHoc sentAt(long version) {
            return new AdHoc(clientId, requestId, timeoutNanos, consistency, sql, parameters, caller, version);
        }

        @Override
        public String subject() {
            return sql;
        }

        /** The request without the text, which may hold a password. */
        @Override
        public String toString() {
            return "an ad hoc statement of request " + clientId + "/" + requestId;
        }
    }

    /**
     * Runs the statements of a client's session as one transaction. What the client has been shown of earlier runs must
     * come out again, or the transaction is undone with {@code SERIALIZATION_FAILURE}.
     *
     * @param ending what becomes of it when all statements have run
     * @param micros the transaction's time, since the epoch
     * @param transaction number of the transaction, unique in the cluster; 0 if it has none
     * @param readOnly whether statements that change something are refused
     * @param comparesImages whether its changes must also meet and leave the rows that they met and left before
     * @param term of leadership of the partition that remembers the client's transactions, as it was at BEGIN. In a
     *     later one nobody knows who has asked for the outcome meanwhile, so a COMMIT is refused
     */
    record Script(
            long clientId,
            long requestId,
            long timeoutNanos,
            List<ScriptStep> steps,
            ScriptEnding ending,
            long transaction,
            boolean readOnly,
            boolean comparesImages,
            long micros,
            long term,
            Caller caller,
            long catalogVersion)
            implements TransactionRequest {
        private static final byte[] NO_PARAMETERS = {0, 0};

        public Script {
            steps = List.copyOf(steps);
        }

        /** The question what became of a COMMIT, under the handle of that. */
        public static Script question(AdHoc commit) {
            return new Script(
                    commit.clientId(),
                    commit.requestId(),
                    commit.timeoutNanos(),
                    List.of(),
                    ScriptEnding.ASK,
                    0,
                    false,
                    false,
                    0,
                    0,
                    commit.caller(),
                    commit.catalogVersion());
        }

        /** The same request with other steps, which together say the same. */
        public Script with(List<ScriptStep> others) {
            return with(others, ending, catalogVersion);
        }

        /** The same request with another end. */
        public Script with(ScriptEnding other) {
            return with(steps, other, catalogVersion);
        }

        /** The same request with so much time. */
        public Script within(long otherTimeoutNanos) {
            return new Script(
                    clientId,
                    requestId,
                    otherTimeoutNanos,
                    steps,
                    ending,
                    transaction,
                    readOnly,
                    comparesImages,
                    micros,
                    term,
                    caller,
                    catalogVersion);
        }

        private Script with(List<ScriptStep> others, ScriptEnding end, long version) {
            return new Script(
                    clientId,
                    requestId,
                    timeoutNanos,
                    others,
                    end,
                    transaction,
                    readOnly,
                    comparesImages,
                    micros,
                    term,
                    caller,
                    version);
        }

        /** One of its statements as a request of its own, which uses the statement's numbers if it has some. */
        public AdHoc statement(ScriptStep step) {
            boolean isPlain = step.numbers().length == 0;
            return new AdHoc(
                    clientId,
                    requestId,
                    timeoutNanos,
                    ReadConsistency.DECLARED,
                    isPlain ? step.sql() : NumberedStatement.text(step.sql(), step.numbers().length),
                    isPlain ? step.parameters() : NumberedStatement.parameters(step.parameters(), step.numbers()),
                    caller,
                    catalogVersion);
        }

        @Override
        public long bytes() {
            return ScriptStep.bytes(steps, null);
        }

        /** A list of none: each statement has its own. */
        @Override
        public byte[] parameters() {
            return NO_PARAMETERS;
        }

        @Override
        public ReadConsistency consistency() {
            return ReadConsistency.DECLARED;
        }

        @Override
        public Script sentAt(long version) {
            return with(steps, ending, version);
        }

        @Override
        public String subject() {
            return "a transaction of " + steps.size() + " statements";
        }
    }
}
