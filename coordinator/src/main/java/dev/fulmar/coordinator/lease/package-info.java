/**
 * Leases on rows, by which sessions that want the same row queue for it. Invariants: a lease is no lock: partitions
 * never ask for one, so nothing that a transaction promises rests on it. A row has one holder at a time. Each asker
 * hears once, and at its time-out at the latest. A lease whose holder does not use it ends by itself. No session waits
 * for an older one that waits for it.
 */
@NullMarked
package dev.fulmar.coordinator.lease;

import org.jspecify.annotations.NullMarked;
