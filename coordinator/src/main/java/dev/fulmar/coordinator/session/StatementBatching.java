package dev.fulmar.coordinator.session;

import dev.fulmar.coordinator.request.ScriptStep;
import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayDeque;
import java.util.List;

/**
 * A session runs changes of rows together that wait together. This says which. Touched where the session's events are
 * handled.
 */
final class StatementBatching {
    private static final int MOST_TOGETHER = 5_000;

    /** So many run together next at most: fewer after some of which one could not even be planned. */
    private int together = MOST_TOGETHER;

    /** Adds statements that wait to those that run together, as far as the transaction has room for them. */
    void gather(List<Asked> asked, List<ScriptStep> steps, ArrayDeque<Asked> waiting, OpenTransaction transaction) {
        long bytes = transaction.bytes(steps);
        while (asked.size() < together && !waiting.isEmpty()) {
            TransactionRequest.AdHoc next = waiting.element().request();
            if (!StatementGuess.changesRows(next.sql())) {
                return;
            }
            try {
                ScriptStep step = transaction.next(next, steps, bytes);
                bytes += step.bytesBehind(steps.getLast());
                steps.add(step);
            } catch (FulmarException tooMany) { // it is told so when its turn comes
                return;
            }
            asked.add(waiting.remove());
        }
    }

    /** So many could not run together: one of them cannot even be planned. */
    void failed(int count) {
        together = Math.max(1, count / 4);
    }

    /** Those that ran together could be planned. */
    void succeeded() {
        together = Math.min(MOST_TOGETHER, 2 * together);
    }
}
