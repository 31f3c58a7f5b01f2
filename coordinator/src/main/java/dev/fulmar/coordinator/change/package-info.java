/**
 * Changes of the catalog. Invariant: one change at a time; it happens on all partitions or on none, while no other
 * transaction runs, and whoever runs afterwards runs with the new catalog. Only a primary of the catalog that is
 * confirmed says that a change is impossible.
 */
@NullMarked
package dev.fulmar.coordinator.change;

import org.jspecify.annotations.NullMarked;
