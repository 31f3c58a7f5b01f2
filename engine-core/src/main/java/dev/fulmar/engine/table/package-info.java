/**
 * Tables of a partition. Invariant: an operation that fails leaves rows, indexes and free lists exactly as they were.
 * An index entry outlives the delete or key change of its row until the undo log releases it. Readers skip such ghosts.
 * A bucket that is handed over outlives its hand-off in the same way, for readers of earlier snapshots.
 *
 * <p>More than 40 files: tables, buckets, indexes, undo and moves share rows and memory that no other package may see.
 */
@NullMarked
package dev.fulmar.engine.table;

import org.jspecify.annotations.NullMarked;
