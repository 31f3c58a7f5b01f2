package dev.fulmar.node.server;

import org.jspecify.annotations.Nullable;

/** The procedures of the node itself. Thread-safe. */
@FunctionalInterface
public interface SystemProcedures {
    /** The procedure with the name, {@code @} included and whatever its case; null if there is none. */
    @Nullable SystemProcedure named(String name);

    /** Whether calls of the procedure may use what is kept for operators when there is no room for others. */
    default boolean isForOperators(String name) {
        return true;
    }
}
