package dev.fulmar.simulator.crash;

import dev.fulmar.simulator.workload.Wish;
import org.jspecify.annotations.Nullable;

/**
 * Request of a client in a crash run: a procedure call or an SQL statement with its arguments.
 *
 * @param text name of the procedure, or SQL
 * @param wish what a history makes of it; null if there is no history
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, compared by identity only
record Ask(
        String text,
        boolean isStatement,
        @Nullable Object[] arguments,
        boolean mayRollBack,
        @Nullable Wish wish) {}
