package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.DrawnNumbers;
import dev.fulmar.coordinator.request.PassingSink;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.routing.TransactionRouter;
import dev.fulmar.coordinator.transaction.Answers;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;

/**
 * Sink of statements that commit at once. They are sent again, under the same handle, with the numbers of sequences
 * that were drawn for them. Thread-safe.
 */
final class TogetherSink extends PassingSink<TransactionRequest.AdHoc> {
    private final TransactionRouter router;
    private final TransactionRequest.Script script;

    TogetherSink(
            TransactionRouter router,
            TransactionRequest.Script script,
            TransactionRequest.AdHoc commit,
            ResponseSink sink) {
        super(commit, sink);
        this.router = router;
        this.script = script;
    }

    @Override
    public void respond(TransactionRequest asked, TransactionResponse response) {
        try {
            List<long[]> numbers = response instanceof Committed answer ? DrawnNumbers.read(answer) : null;
            if (numbers != null) {
                TransactionRequest.Script numbered = script.with(using(script.steps(), numbers));
                router.submit(numbered, new TogetherSink(router, numbered, request, sink));
                return;
            }
            sink.respond(request, response);
        } catch (FulmarException failure) {
            sink.respond(request, Answers.failed(failure));
        }
        sink.flush();
    }

    @Override
    public void applied(TransactionRequest asked) {
        sink.applied(request);
    }

    @Override
    public boolean asksForOutcomes() {
        return sink.asksForOutcomes();
    }

    private static List<ScriptStep> using(List<ScriptStep> steps, List<long[]> numbers) {
        List<ScriptStep> ready = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            ready.add(steps.get(i).using(numbers.get(i)));
        }
        return ready;
    }
}
