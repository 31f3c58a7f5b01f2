package dev.fulmar.node.server;

import org.jspecify.annotations.Nullable;

/** The procedures of the node itself. Thread-safe. */
@FunctionalInterface
public interface SystemProcedures {
    /** The procedure with the name, {@code @} included and whatever its case; null if there is none. */
    @Nullable SystemProcedure named(String name);
}
