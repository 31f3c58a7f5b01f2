/**
 * Tables of a partition. Invariant: an operation that fails leaves rows, indexes and free lists exactly as they were.
 * An index entry outlives the delete or key change of its row until the undo log releases it. Readers skip such ghosts.
 */
@NullMarked
package dev.fulmar.engine.table;

import org.jspecify.annotations.NullMarked;
