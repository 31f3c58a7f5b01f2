/**
 * Backups of a database that works, and a new database from one.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A backup holds a checkpoint and the log up to one moment. A transaction over several partitions is in it whole
 *       or not at all.
 *   <li>A restored database is whole, or it is not there.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.backup;

import org.jspecify.annotations.NullMarked;
