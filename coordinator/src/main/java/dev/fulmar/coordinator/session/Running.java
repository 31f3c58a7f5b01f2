package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.LastNumbers;
import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.request.TransactionResponse;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Statements of a session that are executed or wait for a lease, or its COMMIT. */
final class Running implements ResponseSink {
    private final Purpose purpose;
    private final List<Asked> asked;
    private final List<ScriptStep> steps;
    private final boolean isLocked;
    private final Consumer<TransactionResponse> answered;

    /**
     * @param steps none for a COMMIT
     * @param isLocked whether the results must stay as they are
     * @param answered takes the answer of the database, on any thread
     */
    Running(
            Purpose purpose,
            List<Asked> asked,
            List<ScriptStep> steps,
            boolean isLocked,
            Consumer<TransactionResponse> answered) {
        this.purpose = purpose;
        this.asked = asked;
        this.steps = steps;
        this.isLocked = isLocked;
        this.answered = answered;
    }

    Purpose purpose() {
        return purpose;
    }

    List<Asked> asked() {
        return asked;
    }

    List<ScriptStep> steps() {
        return steps;
    }

    boolean isLocked() {
        return isLocked;
    }

    @Override
    public void respond(TransactionRequest request, TransactionResponse response) {
        answered.accept(response);
    }

    @Override
    public boolean reserve(TransactionRequest request, long bytes) {
        Asked first = asked.getFirst();
        return first.sink().reserve(first.request(), bytes);
    }

    @Override
    public boolean isGone() {
        return asked.getFirst().sink().isGone();
    }

    @Override
    public boolean asksForOutcomes() {
        return asked.getFirst().sink().asksForOutcomes();
    }

    @Override
    public @Nullable LastNumbers lastNumbers() {
        return asked.getFirst().sink().lastNumbers();
    }
}
