package dev.fulmar.coordinator.request;

import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;

/**
 * The new statement of a script that is to wait for its turn, as the answer to a script that has not run. Another
 * transaction keeps writers from rows that it changes. Between nodes of one version only.
 */
public final class AwaitedTurn {
    private AwaitedTurn() {}

    /** The answer. */
    public static Committed toAnswer(int statement) {
        return new Committed(Kind.TABLES, statement, new byte[0]);
    }

    /** The place of the statement among the new ones; negative if the answer is none of these. */
    public static int read(Committed answer) {
        return answer.kind() == Kind.TABLES ? (int) answer.value() : -1;
    }
}
