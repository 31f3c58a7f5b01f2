/**
 * Duty cycles. Invariant: one thread at a time calls {@link dev.fulmar.foundation.agent.Agent#doWork()}, so an agent
 * needs no lock for its own state.
 */
@NullMarked
package dev.fulmar.foundation.agent;

import org.jspecify.annotations.NullMarked;
