package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.DrawnNumbers;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Failed;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.copy.CopyStatement;
import dev.fulmar.postgres.copy.CopyTransactions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Stores the rows of a COPY: in the session's transaction, or in one of their own. */
final class CopyRequests implements CopyTransactions {
    private final DatabaseRequests requests;
    private final TransactionBlock block;

    /** Takers of answers, by the numbers of requests. */
    private final Map<Long, Consumer<TransactionResponse>> awaited = new TreeMap<>();

    CopyRequests(DatabaseRequests requests, TransactionBlock block) {
        this.requests = requests;
        this.block = block;
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

    /** Hands out the numbers of requests that are under way. */
    void forEach(LongConsumer receiver) {
        List.copyOf(awaited.keySet()).forEach(receiver::accept);
    }

    void leave() {
        awaited.clear();
    }

    @Override
    public void execute(List<CopyStatement> statements, Consumer<Outcome> then) {
        if (block.isOpen()) {
            insert(block.number(), statements, then);
        } else if (statements.size() == 1) {
            insert(0, statements, then);
        } else {
            atOnce(statements, then);
        }
    }

    /** Has them run once. If that fails for one of them, they run as a client's would, to know which. */
    private void atOnce(List<CopyStatement> statements, Consumer<Outcome> then) {
        awaited.put(requests.sendTogether(statements), response -> {
            boolean isToRunAgain = response instanceof Failed failed
                    ? ScriptStep.failsAlone(failed.code())
                    : response instanceof Committed done && DrawnNumbers.read(done) != null;
            if (isToRunAgain) {
                inTransaction(statements, then);
            } else {
                then.accept(new Outcome(failure(response), null));
            }
        });
    }

    private void inTransaction(List<CopyStatement> statements, Consumer<Outcome> then) {
        long transaction = block.nextNumber();
        ask(transaction, "BEGIN", opened -> {
            if (opened != null) {
                then.accept(new Outcome(opened, null));
            } else {
                insert(transaction, statements, inserted -> end(transaction, inserted, then));
            }
        });
    }

    private void end(long transaction, Outcome inserted, Consumer<Outcome> then) {
        if (inserted.failure() != null) {
            ask(transaction, "ROLLBACK", ignored -> then.accept(inserted));
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
