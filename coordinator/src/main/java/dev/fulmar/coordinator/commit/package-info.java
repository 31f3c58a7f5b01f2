/**
 * The coordinator's half of two-phase commit. Invariants: PREPARE goes out only when all work is done and all locks are
 * held, so no voter waits for a lock. Every participant votes, readers too. The decision is taken once.
 */
@NullMarked
package dev.fulmar.coordinator.commit;

import org.jspecify.annotations.NullMarked;
