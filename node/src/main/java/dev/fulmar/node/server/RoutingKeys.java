package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.wire.proto.Bound;
import org.jspecify.annotations.Nullable;

/** Which parameter of a procedure says where it runs. Thread-safe. */
@FunctionalInterface
public interface RoutingKeys {
    /** Tells nothing. */
    RoutingKeys NONE = (procedure, caller) -> null;

    /** What the caller may know of it, without the number; null for nothing. */
    @Nullable Bound keyOf(String procedure, Caller caller);
}
