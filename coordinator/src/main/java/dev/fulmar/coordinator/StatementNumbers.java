package dev.fulmar.coordinator;

import dev.fulmar.coordinator.request.NumberedStatement;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.coordinator.statement.PreparedStatement;
import dev.fulmar.coordinator.transaction.IncomingRequest;
import dev.fulmar.engine.plan.GivenNumbers;
import dev.fulmar.foundation.check.Invariants;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import java.util.function.Consumer;

/**
 * Gives a statement outside of transactions the numbers that it can only run with. It is routed with them from then on,
 * and drawn anew for if tables were changed meanwhile. Thread-safe.
 *
 * @param routes takes the statement with its numbers
 * @param refuses answers a statement for which nothing could be drawn
 */
record StatementNumbers(SequenceRanges ranges, Consumer<IncomingRequest> routes, Refusal refuses) {
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
        ranges.draw(statement.numbers(), plain, incoming.sink().lastNumbers(), new SequenceRanges.Listener() {
            @Override
            public void drawn(long[] numbers) {
                routes.accept(incoming.with(NumberedStatement.of(plain, numbers, statement.sequences())));
            }

            @Override
            public void failed(Failed failure) {
                refuses.refuse(incoming, failure);
            }
        });
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
