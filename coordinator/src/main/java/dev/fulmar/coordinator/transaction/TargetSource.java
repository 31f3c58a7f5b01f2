package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** Says what a request calls. Thread-safe. */
public interface TargetSource {
    /** What the planning of a request came to. */
    sealed interface Planned permits Prepared, Refused {}

    /** A target with the version of the catalog that it belongs to. */
    record Prepared(CallTarget target, Program program) implements Planned {}

    /** The request calls nothing, or was not planned. */
    record Refused(FulmarException why) implements Planned {}

    /** What the request calls under the newest version of the catalog; null unless that is known already. Quick. */
    @Nullable Prepared find(TransactionRequest request);

    /**
     * What the request calls under the newest version of the catalog; fails if there is no such thing. May take long.
     */
    Prepared prepare(TransactionRequest request);
}
