package dev.fulmar.postgres.copy;

import dev.fulmar.foundation.error.FulmarException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Port by which a COPY has its rows stored. */
@FunctionalInterface
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

    /** Executes statements in the client's transaction, or as a transaction by themselves if it has none. */
    void execute(List<CopyStatement> statements, Consumer<Outcome> then);
}
