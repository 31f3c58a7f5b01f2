package dev.fulmar.client;

import dev.fulmar.foundation.error.FulmarException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Result of a script.
 *
 * @param executed in order; each has taken effect
 * @param failure the statement that failed, behind which nothing was executed; null if all were
 */
public record ScriptResult(
        List<Executed> executed, @Nullable Failure failure) {
    /**
     * A statement that was executed.
     *
     * @param line where it begins in the script, from 1
     * @param column from 1
     */
    public record Executed(String statement, int line, int column, CallResult result) {}

    /**
     * A statement that failed. Places in the message of its error are counted from the statement's begin.
     *
     * @param line where it begins in the script, from 1
     * @param column from 1
     */
    public record Failure(String statement, int line, int column, FulmarException cause) {}

    public ScriptResult {
        executed = List.copyOf(executed);
    }

    /** This, if all statements were executed; else throws the error of the one that failed, with its place. */
    public ScriptResult orThrow() {
        Failure failed = failure;
        if (failed != null) {
            throw new FulmarException(
                    failed.cause().code(),
                    "the statement at " + failed.line() + ":" + failed.column() + " of the script failed: "
                            + failed.cause().getMessage(),
                    failed.cause());
        }
        return this;
    }

    /** @param execution executes one statement, or fails */
    static ScriptResult of(Function<String, CallResult> execution, String text) {
        List<Executed> executed = new ArrayList<>();
        for (ScriptStatements.Statement statement : ScriptStatements.of(text)) {
            try {
                CallResult result = execution.apply(statement.text());
                executed.add(new Executed(statement.text(), statement.line(), statement.column(), result));
            } catch (FulmarException e) {
                Failure failure = new Failure(statement.text(), statement.line(), statement.column(), e);
                return new ScriptResult(executed, failure);
            }
        }
        return new ScriptResult(executed, null);
    }
}
