package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.ErrorCode;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.copy.CopyStatement;
import dev.fulmar.postgres.copy.CopyTransactions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stores the rows of a COPY: in the session's transaction, or in one of their own. */
final class CopyRequests implements CopyTransactions {
    private final DatabaseRequests requests;
    private final TransactionBlock block;
    private final UnaryOperator<String> marking;
    private final Runnable goOn;

    /** Takers of answers, by the numbers of requests. */
    private final Map<Long, Consumer<TransactionResponse>> awaited = new TreeMap<>();

    /** Whether the client wants nothing more of what is executed. */
    private boolean isCancelled;

    /**
     * @param marking of the texts of the session
     * @param goOn runs when the session may be able to take more of its client's messages
     */
    CopyRequests(DatabaseRequests requests, TransactionBlock block, UnaryOperator<String> marking, Runnable goOn) {
        this.requests = requests;
        this.block = block;
        this.marking = marking;
        this.goOn = goOn;
    }

    boolean isBusy() {
        return !awaited.isEmpty();
    }

    /** Takes an answer; false if it is another's. */
    boolean answered(long requestId, TransactionResponse response) {
        Consumer<TransactionResponse> then = awaited.remove(requestId);
        if (then == null) {
            return false;
        }
        then.accept(response);
        return true;
    }

    /** Has the requests that are under way end, and sends none that would store rows. */
    void cancel(LongConsumer request) {
        isCancelled = isBusy();
        List.copyOf(awaited.keySet()).forEach(request::accept);
    }

    void leave() {
        awaited.clear();
    }

    @Override
    public void execute(List<CopyStatement> written, Listener listener) {
        List<CopyStatement> statements = written.stream()
                .map(each -> each.with(marking.apply(each.sql())))
                .toList();
        isCancelled = false;
        if (block.isOpen()) {
            insert(block.number(), statements, listener::ended);
        } else {
            atOnce(statements, listener);
        }
    }

    /** Has them run once. If that fails for what one of them says, they run as a client's would, to know which. */
    private void atOnce(List<CopyStatement> statements, Listener listener) {
        long sent = requests.sendTogether(statements, request -> applied(request, listener));
        awaited.put(sent, response -> {
            FulmarException failure = failure(response);
            if (statements.size() == 1) {
                listener.ended(new Outcome(failure, failure == null ? null : statements.getFirst()));
            } else if (failure != null && isOfOneStatement(failure.code()) && !isCancelled) {
                inTransaction(statements, outcome -> listener.ended(better(outcome, failure)));
            } else {
                listener.ended(new Outcome(failure, null));
            }
        });
    }

    private void applied(long request, Listener listener) {
        if (awaited.containsKey(request)) {
            listener.applied();
            goOn.run();
        }
    }

    /** The failure of the first run, if the second one found none of the same sort: limits of the two differ. */
    private static Outcome better(Outcome second, FulmarException first) {
        FulmarException failure = second.failure();
        boolean isOther = failure != null
                && failure.code().category() == ErrorCode.Category.RESOURCE
                && !isOfOneStatement(failure.code());
        return isOther ? new Outcome(first, null) : second;
    }

    /**
     * Whether a failure is one of values or rows, so that some of the statements succeed and one does not. No cancel,
     * end of time or limit is: the same statements must not run again for it.
     */
    private static boolean isOfOneStatement(ErrorCode code) {
        return switch (code) {
            case UNIQUE_VIOLATION,
                    NOT_NULL_VIOLATION,
                    CHECK_VIOLATION,
                    FOREIGN_KEY_VIOLATION,
                    CARDINALITY_VIOLATION,
                    TYPE_MISMATCH,
                    VALUE_OUT_OF_RANGE,
                    STRING_TOO_LONG,
                    DIVISION_BY_ZERO,
                    INVALID_TEXT,
                    INVALID_DATETIME,
                    INVALID_BINARY,
                    INVALID_CHARACTERS,
                    DATETIME_OUT_OF_RANGE,
                    WRONG_PARAMETERS -> true;
            default -> false;
        };
    }

    private void inTransaction(List<CopyStatement> statements, Consumer<Outcome> then) {
        long transaction = block.nextNumber();
        ask(transaction, "BEGIN", opened -> {
            if (opened != null) {
                then.accept(new Outcome(opened, null));
            } else if (isCancelled) {
                end(transaction, new Outcome(cancelled(), null), then);
            } else {
                insert(transaction, statements, inserted -> end(transaction, inserted, then));
            }
        });
    }

    private static FulmarException cancelled() {
        return new FulmarException(ErrorCode.CANCELLED, "canceling statement due to user request");
    }

    private void end(long transaction, Outcome inserted, Consumer<Outcome> then) {
        boolean isLate = inserted.failure() == null && isCancelled;
        Outcome outcome = isLate ? new Outcome(cancelled(), null) : inserted;
        if (outcome.failure() != null) {
            ask(transaction, "ROLLBACK", ignored -> then.accept(outcome));
            return;
        }
        ask(transaction, "COMMIT", failure -> {
            if (failure != null) { // a COMMIT that could be sent again stays open in the database
                requests.send(transaction, "ROLLBACK", Bound.NO_PARAMETERS);
            }
            then.accept(new Outcome(failure, null));
        });
    }

    private void ask(long transaction, String sql, Consumer<@Nullable FulmarException> then) {
        await(transaction, sql, Bound.NO_PARAMETERS, response -> then.accept(failure(response)));
    }

    /** Sends all of them at once, so that they run together, and waits for the last answer. */
    private void insert(long transaction, List<CopyStatement> statements, Consumer<Outcome> then) {
        Insertion insertion = new Insertion(statements.size(), then);
        for (CopyStatement statement : statements) {
            await(
                    transaction,
                    statement.sql(),
                    statement.parameters(),
                    response -> insertion.answered(statement, failure(response)));
        }
    }

    private void await(long transaction, String sql, byte[] parameters, Consumer<TransactionResponse> then) {
        awaited.put(requests.send(transaction, sql, parameters), then);
    }

    private static @Nullable FulmarException failure(TransactionResponse response) {
        return response instanceof Failed(var code, String message, var _) ? new FulmarException(code, message) : null;
    }

    /** INSERTs whose answers are awaited. */
    private static final class Insertion {
        private final Consumer<Outcome> then;
        private int missing;
        private Outcome outcome = Outcome.DONE;

        Insertion(int missing, Consumer<Outcome> then) {
            this.missing = missing;
            this.then = then;
        }

        void answered(CopyStatement statement, @Nullable FulmarException failure) {
            missing--;
            if (failure != null && outcome.failure() == null) {
                outcome = new Outcome(failure, statement);
            }
            if (missing == 0) {
                then.accept(outcome);
            }
        }
    }
}
