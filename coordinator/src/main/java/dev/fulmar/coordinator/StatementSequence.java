package dev.fulmar.coordinator;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.coordinator.request.ReadConsistency;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.routing.TransactionRouter;
import java.util.List;
import java.util.function.Consumer;

/**
 * Statements of one request, each by itself and behind the one before. Where one behind the first fails, the last resort takes back what the first did. The
 * request's own rights were looked at before.
 */
final class StatementSequence {
    private static final byte[] NO_PARAMETERS = new byte[Short.BYTES];
    private static final byte[] NO_BLOCKS = {};

    private final TransactionRouter router;
    private final TransactionRequest request;
    private final List<String> statements;
    private final String undo;
    private final Consumer<TransactionResponse> answer;

    StatementSequence(
            TransactionRouter router,
            TransactionRequest request,
            List<String> statements,
            String undo,
            Consumer<TransactionResponse> answer) {
        this.router = router;
        this.request = request;
        this.statements = statements;
        this.undo = undo;
        this.answer = answer;
    }

    /** Begins with the first; the answer is that of the last, or that of the one that failed. */
    void start() {
        run(0, new TransactionResponse.Committed(TransactionResponse.Kind.NOTHING, 0, NO_BLOCKS));
    }

    private void run(int next, TransactionResponse last) {
        if (next == statements.size()) {
            answer.accept(last);
            return;
        }
        submit(statements.get(next), response -> {
            if (!(response instanceof TransactionResponse.Failed)) {
                run(next + 1, response);
            } else if (next == 0) {
                answer.accept(response);
            } else {
                submit(undo, undone -> answer.accept(response));
            }
        });
    }

    private void submit(String text, Consumer<TransactionResponse> then) {
        Caller caller = Caller.trusted(request.caller().witness());
        ResponseSink sink = (asked, response) -> then.accept(response);
        router.submit(
                new TransactionRequest.AdHoc(
                        0, 0, request.timeoutNanos(), ReadConsistency.DECLARED, text, NO_PARAMETERS, caller),
                sink);
    }
}
