/**
 * Changes of the catalog. Invariants: changes happen one at a time, each on all partitions or on none, while no other
 * transaction runs. Every later transaction runs with the new catalog. Only a primary of the catalog that is confirmed
 * says that a change is impossible. Changes of one transaction are one change. Its rows change by statements that do
 * the same on the same rows, and its catalog's record has them: no partition's log does.
 *
 * <p>More than 40 files: each kind of change has a class that makes its edit, and all edits share one form.
 */
@NullMarked
package dev.fulmar.coordinator.change;

import org.jspecify.annotations.NullMarked;
