package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.session.StatementGuess;
import dev.fulmar.foundation.error.ErrorCode;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Results that do not fit into one reply. Portals yield them part by part outside of transactions, and cursors in those
 * that only read. A transaction that has done nothing yet only reads from then on. In other transactions results are
 * held whole, for they must stay the same.
 */
final class LargeResults {
    private static final String READS_ONLY =
            "; a result of this transaction was larger than server.limits.result, so it"
                    + " only reads since then: COMMIT before changes";

    private static final int FIRST_ROWS = 32;
    private static final int MOST_ROWS = 10_000;

    /** A cursor's next part should have about so many bytes. */
    private static final long PART_BYTES = 256 << 10;

    /** Asks the database, and hands the answer on unless it is a failure. */
    interface Asking {
        void ask(Consumer<TransactionRequest.AdHoc> question, Bound statement, Consumer<Committed> then);
    }

    private final SessionServices services;
    private final AnswerSink sink;
    private final HeldMemory memory;
    private final TransactionBlock block;
    private final Asking asking;
    private final BiConsumer<String, Runnable> openInstead;
    private long lastNumber;

    /** @param openInstead opens another transaction by a statement, in place of one that has done nothing */
    LargeResults(
            SessionServices services,
            AnswerSink sink,
            HeldMemory memory,
            TransactionBlock block,
            Asking asking,
            BiConsumer<String, Runnable> openInstead) {
        this.services = services;
        this.sink = sink;
        this.memory = memory;
        this.block = block;
        this.asking = asking;
        this.openInstead = openInstead;
    }

    /**
     * Whether the query can be read in parts instead, whose whole result cannot. One that locks its rows is no part of
     * a transaction that only reads.
     */
    boolean isFor(Bound query, TransactionResponse answer) {
        return answer instanceof Failed failure
                && failure.code() == ErrorCode.RESULT_TOO_LARGE
                && query.translation().isQuery()
                && query.taker() == null
                && (!block.isOpen()
                        || block.isReadOnly()
                        || (block.beginningOfReadOnly() != null
                                && !StatementGuess.isLocking(query.translation().sql())));
    }

    /** Reads a query in parts, where that can be. */
    void read(Bound query, Consumer<ResultFeed> then) {
        String beginning = block.isReadOnly() ? null : block.beginningOfReadOnly();
        if (!block.isOpen()) {
            openPortal(query, then);
        } else if (beginning == null) {
            openCursor(block.number(), query, then);
        } else {
            openInstead.accept(beginning, () -> {
                block.forLargeResult();
                openCursor(block.number(), query, then);
            });
        }
    }

    /** The end of an error's message, if the transaction only reads for a result. */
    String reason(ErrorCode code) {
        return code == ErrorCode.READ_ONLY_TRANSACTION && block.isForLargeResult() ? READS_ONLY : "";
    }

    /** Opens a portal for a query outside of transactions. */
    private void openPortal(Bound statement, Consumer<ResultFeed> then) {
        long number = ++lastNumber;
        asking.ask(
                request -> services.portals()
                        .open(
                                number,
                                MOST_ROWS,
                                request.with(statement.translation().sql(), statement.parameters()),
                                sink),
                statement,
                first -> then.accept(new ResultFeed(first, statement.form(), memory, portal(number, statement))));
    }

    private ResultFeed.Parts portal(long number, Bound statement) {
        return new ResultFeed.Parts() {
            @Override
            public void next(Consumer<Committed> then) {
                asking.ask(request -> services.portals().fetch(number, MOST_ROWS, request, sink), statement, then);
            }

            @Override
            public boolean hasMore(Committed part, long rows) {
                return part.value() == 1;
            }

            @Override
            public void close(TransactionRequest.AdHoc request) {
                services.portals().close(number, request, sink);
            }
        };
    }

    /** Declares a cursor for a query in the transaction, and reads its first rows. */
    private void openCursor(long transaction, Bound statement, Consumer<ResultFeed> then) {
        String name = "\"portal " + ++lastNumber + "\"";
        String declaration = "DECLARE " + name + " NO SCROLL CURSOR FOR "
                + statement.translation().sql();
        asking.ask(
                request -> services.transactions()
                        .execute(transaction, request.with(declaration, statement.parameters()), sink),
                statement,
                declared -> {
                    CursorParts parts = new CursorParts(transaction, name, statement);
                    parts.next(first -> then.accept(new ResultFeed(first, statement.form(), memory, parts)));
                });
    }

    /** The rows of a cursor, about as many bytes at a time. */
    private final class CursorParts implements ResultFeed.Parts {
        private final long transaction;
        private final String name;
        private final Bound statement;
        private int asked = FIRST_ROWS;

        CursorParts(long transaction, String name, Bound statement) {
            this.transaction = transaction;
            this.name = name;
            this.statement = statement;
        }

        @Override
        public void next(Consumer<Committed> then) {
            asking.ask(
                    request -> services.transactions()
                            .execute(transaction, plain(request, "FETCH " + asked + " FROM " + name), sink),
                    statement,
                    then);
        }

        private TransactionRequest.AdHoc plain(TransactionRequest.AdHoc request, String sql) {
            return request.with(sql, request.parameters());
        }

        @Override
        public boolean hasMore(Committed part, long rows) {
            boolean hasMore = rows == asked;
            long rowBytes = 1 + part.results().length / Math.max(1, rows);
            asked = (int) Math.clamp(PART_BYTES / rowBytes, 1, Math.min(MOST_ROWS, 4L * asked));
            return hasMore;
        }

        @Override
        public void close(TransactionRequest.AdHoc request) {
            services.transactions().execute(transaction, plain(request, "CLOSE " + name), sink);
        }
    }
}
