/**
 * Changes of the catalog. Invariants: changes happen one at a time, each on all partitions or on none, while no other
 * transaction runs. Every later transaction runs with the new catalog. Only a primary of the catalog that is confirmed
 * says that a change is impossible.
 */
@NullMarked
package dev.fulmar.coordinator.change;

import org.jspecify.annotations.NullMarked;
