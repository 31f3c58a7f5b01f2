package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Port by which a COPY has its rows stored. */
public interface CopyTransactions {
    /**
     * Outcome of some statements: all of them count, or none.
     *
     * @param failure null if they count
     * @param failed the statement that has failed; null if none has, or none is known
     */
    record Outcome(
            @Nullable FulmarException failure, @Nullable CopyStatement failed) {
        /** They count. */
        public static final Outcome DONE = new Outcome(null, null);
    }

    /** Listener to statements, on the session's thread. */
    interface Listener {
        /** They count, and statements that are executed now are behind them, also in the log. */
        default void applied() {}

        /** The last call; without a failure they are durable. */
        void ended(Outcome outcome);
    }

    /** Executes statements in the client's transaction, or as a transaction by themselves if it has none. */
    void execute(List<CopyStatement> statements, Listener listener);
}
