/**
 * Changes of the catalog. Invariant: one change at a time; it happens on all partitions or on none, while no other transaction runs, and
 * whoever runs afterwards runs with the new catalog.
 */
@NullMarked
package dev.fulmar.coordinator.change;

import org.jspecify.annotations.NullMarked;
