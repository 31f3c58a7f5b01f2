/**
 * Leases on rows and ranges, by which sessions that want the same rows queue for them. Invariants: a lease is no lock:
 * partitions never ask for one, so nothing that a transaction promises rests on it. Two leases that meet have one
 * holder. Each asker hears once, and at its time-out at the latest. A lease whose holder does not use it ends by
 * itself. No session waits for an older one that waits for it, nor behind a younger one.
 */
@NullMarked
package dev.fulmar.coordinator.lease;

import org.jspecify.annotations.NullMarked;
