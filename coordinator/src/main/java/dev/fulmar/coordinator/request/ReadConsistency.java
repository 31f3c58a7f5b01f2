package dev.fulmar.coordinator.request;

import dev.fulmar.engine.procedure.LoadedProcedure;

/** The state that a read-only transaction over several partitions may show. */
public enum ReadConsistency {
    /** As the procedure declares; strict if it declares nothing. */
    DECLARED,
    /** Everything that was acknowledged before the request was sent. */
    STRICT,
    /** One state of the whole database that was the newest one a moment ago; holds no reply back. */
    SNAPSHOT;

    /** Whether a call of the procedure has to show everything that was acknowledged before. */
    public boolean isStrict(LoadedProcedure procedure) {
        return switch (this) {
            case DECLARED -> !procedure.readsAnySnapshot();
            case STRICT -> true;
            case SNAPSHOT -> false;
        };
    }
}
