package dev.fulmar.simulator.postgres;

import dev.fulmar.wire.postgres.message.Diagnostic;
import dev.fulmar.wire.postgres.message.TransactionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's answer to a question.
 *
 * @param results of statements that were executed, in their order
 * @param error that ended it; null for none
 * @param status of the client's transaction behind it
 */
public record Answer(List<Result> results, @Nullable Diagnostic error, TransactionStatus status) {
    public Answer {
        results = List.copyOf(results);
    }

    /**
     * The result of a statement.
     *
     * @param tag that tells of its end
     */
    public record Result(String tag, List<long[]> rows) {
        public Result {
            rows = List.copyOf(rows);
        }
    }
}
