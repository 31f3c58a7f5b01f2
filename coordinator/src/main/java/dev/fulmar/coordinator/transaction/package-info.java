/**
 * Transactions over several partitions. A {@link dev.fulmar.coordinator.transaction.DistributedTransaction} is a state
 * machine over events. They come from its control code, which runs in a fiber, and from the partitions, which run its
 * fragments. Invariants: its events are handled one at a time, by a thread that brings one while no other handles any.
 * No thread ever waits for another.
 *
 * <p>More than 40 files: the state machine of a transaction, its parts and its readers share state that no other
 * package may see.
 */
@NullMarked
package dev.fulmar.coordinator.transaction;

import org.jspecify.annotations.NullMarked;
