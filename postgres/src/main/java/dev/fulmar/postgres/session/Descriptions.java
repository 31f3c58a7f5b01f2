package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.Translation;
import dev.fulmar.postgres.value.ParameterForms;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Has the statements of a session described, one at a time. For the session's thread. */
final class Descriptions {
    private final StatementDescriber describer;
    private final SessionThread thread;
    private final AnswerSink sink;
    private final Supplier<List<String>> changes;
    private final BiFunction<Translation, byte[], TransactionRequest.AdHoc> requests;
    private final BiConsumer<FulmarException, Places> failed;
    private final Runnable ended;
    private boolean isUnderWay;
    private boolean isOver;

    /**
     * @param changes of tables that the session's transaction has made and not committed
     * @param requests makes the next request of the session
     * @param failed hears of errors of statements
     * @param ended is told behind each description or error
     */
    Descriptions(
            StatementDescriber describer,
            SessionThread thread,
            AnswerSink sink,
            Supplier<List<String>> changes,
            BiFunction<Translation, byte[], TransactionRequest.AdHoc> requests,
            BiConsumer<FulmarException, Places> failed,
            Runnable ended) {
        this.describer = describer;
        this.thread = thread;
        this.sink = sink;
        this.changes = changes;
        this.requests = requests;
        this.failed = failed;
        this.ended = ended;
    }

    boolean isUnderWay() {
        return isUnderWay;
    }

    /** The client is gone: nothing is told any more. */
    void leave() {
        isOver = true;
    }

    /** Has a statement described; the session waits. */
    void describe(Translation translation, byte[] parameters, Consumer<StatementDescription> known) {
        describe(translation, parameters, known, error -> described(() -> fail(error), translation));
    }

    /**
     * Has a statement described with its parameters as they stand. If that fails, or gives a parameter a type that does
     * not fit the client's, each of them is cast to the type that the client gives it. If that fails too, what came of
     * the first one counts.
     *
     * @param cast the statement with casts; empty if it is the same
     */
    void describe(
            Translation translation,
            List<Integer> types,
            Supplier<Optional<Translation>> cast,
            BiConsumer<Translation, StatementDescription> known) {
        byte[] parameters = ParameterForms.nulls(translation);
        describe(
                translation,
                parameters,
                description -> {
                    if (ParameterForms.fit(translation, description.parameters(), types)) {
                        known.accept(translation, description);
                    } else {
                        describeCast(cast, known, () -> known.accept(translation, description));
                    }
                },
                error -> described(() -> describeCast(cast, known, () -> fail(error)), translation));
    }

    /** @param otherwise what happens if there are no casts, or they do not help */
    private void describeCast(
            Supplier<Optional<Translation>> cast,
            BiConsumer<Translation, StatementDescription> known,
            Runnable otherwise) {
        Translation translation = cast.get().orElse(null);
        if (translation == null) {
            otherwise.run();
            return;
        }
        describe(
                translation,
                ParameterForms.nulls(translation),
                description -> known.accept(translation, description),
                _ -> described(otherwise, translation));
    }

    private void describe(
            Translation translation,
            byte[] parameters,
            Consumer<StatementDescription> known,
            Consumer<FulmarException> refused) {
        isUnderWay = true;
        TransactionRequest.AdHoc request = requests.apply(translation, parameters);
        Consumer<StatementDescription> told = description -> thread.execute(
                () -> described(() -> known.accept(CallRows.described(translation, description)), translation));
        ResponseSink refusals = sink.refusals(
                (code, message) -> thread.execute(() -> refused.accept(new FulmarException(code, message))));
        List<String> behind = changes.get();
        if (behind.isEmpty()) {
            describer.describe(request, told, refusals);
        } else {
            describer.describeBehind(behind, request, told, refusals);
        }
    }

    private static void fail(FulmarException error) {
        throw error;
    }

    private void described(Runnable then, Translation translation) {
        if (isOver) {
            return;
        }
        isUnderWay = false;
        try {
            then.run();
        } catch (FulmarException e) {
            failed.accept(e, translation::message);
        }
        ended.run();
    }
}
