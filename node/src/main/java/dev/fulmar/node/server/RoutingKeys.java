package dev.fulmar.node.server;

import dev.fulmar.coordinator.access.Caller;
import dev.fulmar.wire.proto.Bound;
import org.jspecify.annotations.Nullable;

/** Directory of the procedures' partitioning parameters. Thread-safe. */
@FunctionalInterface
public interface RoutingKeys {
    /** Tells nothing. */
    RoutingKeys NONE = (procedure, caller) -> null;

    /** The part of the routing key that the caller may know, without the number; null for none. */
    @Nullable Bound keyOf(String procedure, Caller caller);
}
