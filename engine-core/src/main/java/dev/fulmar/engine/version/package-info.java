/**
 * Earlier versions of rows, for readers of snapshots. Invariant: versions that a registered reader may see at its
 * timestamp stay where it finds them, until it leaves or is expired. Without a reader no version is kept.
 *
 * <p>The versions themselves are undo records that outlive their transaction.
 * {@link dev.fulmar.engine.version.VersionRecord} says how they are chained, and {@link dev.fulmar.engine.undo.UndoLog}
 * how they are kept and given back. Start reading at {@link dev.fulmar.engine.version.Snapshot}.
 */
@NullMarked
package dev.fulmar.engine.version;

import org.jspecify.annotations.NullMarked;
