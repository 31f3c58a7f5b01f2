/** Agents on threads of their own. Invariant: a wake-up that follows new work is never lost. */
@NullMarked
package dev.fulmar.foundation.agent.real;

import org.jspecify.annotations.NullMarked;
