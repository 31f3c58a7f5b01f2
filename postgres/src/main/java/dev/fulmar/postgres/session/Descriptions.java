package dev.fulmar.postgres.session;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.statement.StatementDescriber;
import dev.fulmar.coordinator.statement.StatementDescription;
import dev.fulmar.foundation.error.FulmarException;
import dev.fulmar.postgres.dialect.Translation;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** Has the statements of a session described, one at a time. For the session's thread. */
final class Descriptions {
    private final StatementDescriber describer;
    private final SessionThread thread;
    private final AnswerSink sink;
    private final BiFunction<Translation, byte[], TransactionRequest.AdHoc> requests;
    private final BiConsumer<FulmarException, Places> failed;
    private final Runnable ended;
    private boolean isUnderWay;
    private boolean isOver;

    /**
     * @param requests makes the next request of the session
     * @param failed hears of errors of statements
     * @param ended is told behind each description or error
     */
    Descriptions(
            StatementDescriber describer,
            SessionThread thread,
            AnswerSink sink,
            BiFunction<Translation, byte[], TransactionRequest.AdHoc> requests,
            BiConsumer<FulmarException, Places> failed,
            Runnable ended) {
        this.describer = describer;
        this.thread = thread;
        this.sink = sink;
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
        isUnderWay = true;
        describer.describe(
                requests.apply(translation, parameters),
                description -> thread.execute(
                        () -> described(() -> known.accept(CallRows.described(translation, description)), translation)),
                sink.refusals((code, message) -> thread.execute(() -> described(
                        () -> {
                            throw new FulmarException(code, message);
                        },
                        translation))));
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
