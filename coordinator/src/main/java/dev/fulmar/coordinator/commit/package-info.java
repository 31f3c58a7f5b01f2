/**
 * Two-phase commit, the coordinator's half. Invariant: PREPARE goes out only when all work is done and all locks are
 * held, so no voter waits for a lock; every participant votes, those that only read too; the decision is taken once.
 */
@NullMarked
package dev.fulmar.coordinator.commit;

import org.jspecify.annotations.NullMarked;
