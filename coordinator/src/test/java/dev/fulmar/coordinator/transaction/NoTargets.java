package dev.fulmar.coordinator.transaction;

import dev.fulmar.coordinator.request.TransactionRequest;
import org.jspecify.annotations.Nullable;

/** For tests in which nothing is called: asks for a target fail. */
public final class NoTargets implements TargetSource {
    @Override
    public @Nullable Prepared find(TransactionRequest request) {
        throw new IllegalStateException("nothing is called");
    }

    @Override
    public Prepared prepare(TransactionRequest request) {
        throw new IllegalStateException("nothing is called");
    }

    @Override
    public Planned plan(TransactionRequest request) {
        throw new IllegalStateException("nothing is called");
    }
}
