/**
 * Undo of the running transaction. Invariant: rolling back to a mark restores rows, indexes, free lists and row numbers
 * of that moment exactly. It takes no memory, so it cannot fail.
 *
 * <p>An UPDATE record holds the whole slot as it was, header included. The bytes that were overwritten in place follow
 * in BYTES records; a block that was replaced stays until the release. So a record is a complete earlier version of its
 * row. While readers of snapshots are registered nothing is overwritten in place. The row's version link then names the
 * newest record, whose saved header names the one before. {@link dev.fulmar.engine.undo.UndoLog#commit} keeps the
 * records until the horizon has passed them, instead of releasing what they hold at once. Without readers the horizon
 * is the end of the transaction and the link stays 0.
 */
@NullMarked
package dev.fulmar.engine.undo;

import org.jspecify.annotations.NullMarked;
