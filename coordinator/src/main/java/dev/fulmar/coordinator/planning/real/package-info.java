/** Planners' threads. Invariant: never more of them run at once than they were given cores. */
@NullMarked
package dev.fulmar.coordinator.planning.real;

import org.jspecify.annotations.NullMarked;
