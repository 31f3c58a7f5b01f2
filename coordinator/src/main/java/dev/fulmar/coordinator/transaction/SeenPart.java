package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.ResultDigest;
import dev.fulmar.coordinator.request.TransactionResponse.Committed;
import dev.fulmar.coordinator.request.TransactionResponse.Kind;
import dev.fulmar.engine.partition.FragmentResult;

/**
 * The result of one fragment of a statement on one partition, as a run that was undone has seen it.
 *
 * @param fragment position among the statement's fragments, or {@link StatementFragment#WHOLE}
 * @param digest of the rows in any order, or of the number of changed rows, with the images if there are some
 */
public record SeenPart(int partition, int fragment, ResultDigest digest) {
    /** Digest of a fragment's result; the same of equal rows in another order. */
    public static ResultDigest digest(FragmentResult result) {
        Committed answer = result.rows().length == 0
                ? new Committed(Kind.VALUE, result.changedRows(), result.rows())
                : new Committed(Kind.TABLE, 0, result.rows());
        return ResultDigest.of(answer, "").with(result.images());
    }
}
