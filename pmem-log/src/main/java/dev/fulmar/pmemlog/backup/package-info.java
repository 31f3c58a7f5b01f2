/**
 * Copies of a database's files that can be trusted. Invariant: a backup has a manifest only once everything that the
 * manifest names is durable in it. Verification finds every difference from the manifest before the backup is used,
 * with file and offset.
 *
 * <p>Start reading at {@link dev.fulmar.pmemlog.backup.BackupManifest}.
 */
@NullMarked
package dev.fulmar.pmemlog.backup;

import org.jspecify.annotations.NullMarked;
