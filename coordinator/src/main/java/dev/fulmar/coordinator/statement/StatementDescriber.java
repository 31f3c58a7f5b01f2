package dev.fulmar.coordinator.statement;

import dev.fulmar.coordinator.request.ResponseSink;
import dev.fulmar.coordinator.request.TransactionRequest;
import java.util.List;
import java.util.function.Consumer;

/** Port by which connections learn what a statement takes and yields, without executing it. Thread-safe. */
public interface StatementDescriber {
    /**
     * Plans the statement, or finds its plan.
     *
     * @param known hears of the description, on any thread, perhaps before this returns
     * @param refused for the answer if the statement is wrong, or its client lacks the rights to execute it
     */
    void describe(TransactionRequest.AdHoc statement, Consumer<StatementDescription> known, ResponseSink refused);

    /**
     * The same behind changes of the catalog that the client's transaction has made and not committed. The description
     * has the version {@link StatementDescription#OF_TRANSACTION}.
     *
     * @param changes their texts, in order
     */
    void describeBehind(
            List<String> changes,
            TransactionRequest.AdHoc statement,
            Consumer<StatementDescription> known,
            ResponseSink refused);

    /** The version of the catalog that this node knows now. */
    long catalogVersion();
}
