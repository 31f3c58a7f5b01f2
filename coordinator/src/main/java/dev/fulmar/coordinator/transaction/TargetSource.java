package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;
import dev.fulmar.foundation.error.FulmarException;
import org.jspecify.annotations.Nullable;

/** The finder of the procedure or statement that a request calls. Thread-safe. */
public interface TargetSource {
    /** The outcome of a request's planning. */
    sealed interface Planned permits Prepared, Refused {}

    /** A target with the version of the catalog that it belongs to. */
    record Prepared(CallTarget target, Program program) implements Planned {}

    /**
     * The request calls nothing, or was not planned.
     *
     * @param program whose catalog refuses it: another version may have what it names; null if it was not planned
     */
    record Refused(FulmarException why, @Nullable Program program) implements Planned {}

    /** Finds the request's target under the newest version of the catalog; null unless it is known already. Quick. */
    @Nullable Prepared find(TransactionRequest request);

    /** Prepares the request's target under the newest version of the catalog; fails if there is none. May take long. */
    Prepared prepare(TransactionRequest request);

    /** As {@link #prepare}, but a refusal is returned with the catalog that refuses. May take long. */
    Planned plan(TransactionRequest request);
}
