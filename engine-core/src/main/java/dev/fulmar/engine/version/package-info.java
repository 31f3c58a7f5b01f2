/**
 * Earlier versions of rows, for readers of snapshots. Invariant: what a registered reader may see at its timestamp
 * stays where it finds it, until the reader leaves or is expired; without a reader nothing is kept.
 *
 * <p>The versions themselves are undo records that outlive their transaction: see
 * {@link dev.fulmar.engine.version.VersionRecord} for how they are chained, and {@link dev.fulmar.engine.undo.UndoLog}
 * for how they are kept and given back. Start reading at {@link dev.fulmar.engine.version.Snapshot}.
 */
@NullMarked
package dev.fulmar.engine.version;

import org.jspecify.annotations.NullMarked;
