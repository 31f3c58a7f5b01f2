package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.statement.RowNumberDraw;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.coordinator.transaction.CancelledRequests;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.foundation.failstop.FatalErrors;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gives a statement outside of transactions the numbers that it can only run with. It is routed with them from then on,
 * and drawn anew for if tables were changed meanwhile. Thread-safe.
 *
 * @param cancelled looked at between the parts of a statement
 * @param routes takes the statement with its numbers
 * @param refuses answers a statement for which nothing could be drawn
 */
record StatementNumbers(
        SequenceRanges ranges, CancelledRequests cancelled, Consumer<IncomingRequest> routes, Refusal refuses) {
    /** Times that the rows of a statement are counted at most. */
    private static final int MOST_COUNTS = 10;

    /** Answers a request with a failure. */
    interface Refusal {
        void refuse(IncomingRequest incoming, Failed failure);
    }

    /** Draws the numbers, and routes the statement with them. */
    void give(IncomingRequest incoming, PreparedStatement statement) {
        if (!(incoming.request() instanceof TransactionRequest.AdHoc plain)) {
            throw Invariants.breach("a statement is an ad hoc request");
        }
        check(plain, statement);
        if (statement.needsAsMany()) {
            count(incoming, plain, statement, MOST_COUNTS);
        } else {
            draw(
                    incoming,
                    plain,
                    statement.numbers(),
                    numbers ->
                            routes.accept(incoming.with(NumberedStatement.of(plain, numbers, statement.sequences()))));
        }
    }

    private void draw(
            IncomingRequest incoming,
            TransactionRequest.AdHoc plain,
            List<GivenNumbers.Number> wanted,
            Consumer<long[]> then) {
        ranges.draw(wanted, plain, incoming.sink().lastNumbers(), new SequenceRanges.Listener() {
            @Override
            public void drawn(long[] numbers) {
                then.accept(numbers);
            }

            @Override
            public void failed(Failed failure) {
                refuses.refuse(incoming, failure);
            }
        });
    }

    /**
     * Counts the rows that take numbers, and runs the statement with so many. If there are more rows by then, it begins
     * anew.
     *
     * @param countsLeft how often it may count, this time included
     */
    private void count(
            IncomingRequest incoming, TransactionRequest.AdHoc plain, PreparedStatement statement, int countsLeft) {
        TransactionRequest.AdHoc question = new TransactionRequest.AdHoc(
                0,
                0,
                plain.timeoutNanos(),
                ReadConsistency.STRICT,
                plain.sql(),
                plain.parameters(),
                plain.caller(),
                plain.catalogVersion());
        route(
                incoming,
                plain,
                NumberedStatement.of(question, RowNumberDraw.question(), statement.sequences()),
                response -> {
                    switch (response) {
                        case Committed answer -> {
                            if (cancelled.has(plain)) { // the question has no handle of its own
                                throw CancelledRequests.failure();
                            }
                            RowNumberDraw rows =
                                    RowNumberDraw.of(statement.numbers(), answer, MOST_COUNTS - countsLeft);
                            draw(
                                    incoming,
                                    plain,
                                    rows.wanted(),
                                    drawn -> run(incoming, plain, statement, rows.given(drawn), countsLeft));
                        }
                        case Failed failure -> refuses.refuse(incoming, failure);
                    }
                });
    }

    private void run(
            IncomingRequest incoming,
            TransactionRequest.AdHoc plain,
            PreparedStatement statement,
            long[] given,
            int countsLeft) {
        route(incoming, plain, NumberedStatement.of(plain, given, statement.sequences()), response -> {
            boolean hasTooFew = response instanceof Failed failure && failure.code() == ErrorCode.NUMBERS_USED_UP;
            if (hasTooFew && countsLeft > 1) {
                count(incoming, plain, statement, countsLeft - 1);
            } else {
                incoming.sink().respond(plain, response);
                incoming.sink().flush();
            }
        });
    }

    /** Routes a part of the client's request; what comes of it is told on any thread. */
    private void route(
            IncomingRequest incoming,
            TransactionRequest.AdHoc plain,
            TransactionRequest.AdHoc part,
            Consumer<TransactionResponse> then) {
        routes.accept(new IncomingRequest(
                part,
                new PassingSink<>(plain, incoming.sink()) {
                    @Override
                    public void respond(TransactionRequest answered, TransactionResponse response) {
                        try {
                            then.accept(response);
                        } catch (FulmarException refused) {
                            refuses.refuse(incoming, Answers.failed(refused));
                        } catch (RuntimeException | Error defect) { // else its client would wait for ever
                            refuses.refuse(incoming, Answers.defect(defect));
                            FatalErrors.handIfFatal(defect);
                        }
                    }
                },
                incoming.nanos()));
    }

    /** A statement that is sent again, over another connection, would insert another row than it did, or fail. */
    private static void check(TransactionRequest.AdHoc plain, PreparedStatement statement) {
        boolean remembers =
                statement.numbers().stream().map(GivenNumbers.Number::kind).anyMatch(GivenNumbers.Kind::isRemembered);
        if (remembers && statement.addsRows() && plain.clientId() != 0) {
            throw new FulmarException(
                    ErrorCode.NOT_SUPPORTED,
                    "currval and lastval are for queries, and for transactions of several statements; BEGIN one, or pass"
                            + " the number as a parameter");
        }
    }
}
