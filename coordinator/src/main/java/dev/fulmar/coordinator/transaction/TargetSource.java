package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import dev.fulmar.coordinator.routing.CallTarget;
import dev.fulmar.coordinator.routing.Program;

/** Says what a request calls. Thread-safe. */
public interface TargetSource {
    /** A target with the version of the catalog that it belongs to. */
    record Prepared(CallTarget target, Program program) {}

    /** What the request calls under the newest version of the catalog; fails if there is no such thing. May take long. */
    Prepared prepare(TransactionRequest request);
}
