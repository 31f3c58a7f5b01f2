/**
 * Transactions over several partitions. A {@link dev.fulmar.coordinator.transaction.DistributedTransaction} is a state
 * machine over events from its control code, which runs in a fiber, and from the partitions, which run its fragments.
 * Invariant: its events are handled one at a time, by whichever thread brings one while nobody handles any; no thread
 * ever waits for another.
 */
@NullMarked
package dev.fulmar.coordinator.transaction;

import org.jspecify.annotations.NullMarked;
