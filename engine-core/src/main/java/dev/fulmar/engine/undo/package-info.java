/**
 * Undo of the running transaction. Invariant: rolling back to a mark restores rows, indexes and free lists of that moment exactly.
 */
@NullMarked
package dev.fulmar.engine.undo;

import org.jspecify.annotations.NullMarked;
