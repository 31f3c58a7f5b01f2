/**
 * Backups of a node's data directory, and new data directories from them. Invariant: a directory with a restored
 * database's name holds all of it.
 *
 * <p>Start reading at {@link dev.fulmar.node.backup.Restore}.
 */
@NullMarked
package dev.fulmar.node.backup;

import org.jspecify.annotations.NullMarked;
