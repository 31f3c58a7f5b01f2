/**
 * Replication of a partition from its primary to its backups.
 * {@link dev.fulmar.coordinator.replication.PrimaryReplication} and
 * {@link dev.fulmar.coordinator.replication.BackupReplication} are state machines without time, threads, files or
 * messages of their own. The primary ships groups of records; backups execute, compare, make durable, and confirm.
 * {@link dev.fulmar.coordinator.replication.ReplicaProtocol} joins them with the leadership of the partition and, by
 * ports, with log, rows, network and store.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A record is told by its epoch and position: a term has one primary, which writes a position once. So two logs
 *       are equal up to the first position where their
 *       {@linkplain dev.fulmar.coordinator.replication.EpochHistory terms} differ, and no further comparison is needed.
 *   <li>A copy takes groups only from the primary of the highest epoch it has heard of. It stores that epoch with its
 *       log before it confirms anything under it; a restart does not make it forget.
 *   <li>A copy that joins a term first rolls back to where its log and the new primary's part. If it cannot go back so
 *       far it is built anew. It keeps the means to go back to whatever the primary has not called safe.
 *   <li>A confirmation says that everything up to a position is executed with the same result and as durable as the
 *       database asks.
 *   <li>A copy joins those in sync once it has confirmed all that may have been acknowledged, in this term or an
 *       earlier one.
 *   <li>A reply's reads and writes are safe once every required copy, this one included, has confirmed a group closed
 *       after it under the epoch. That holds for replies to reads too, for which an empty group is closed if need be.
 *       There is no lease and no clock in this.
 *   <li>A partition executes requests between {@link dev.fulmar.coordinator.replication.CopyRole#leads} and the next
 *       {@link dev.fulmar.coordinator.replication.CopyRole#follows} only. The first record of a term is its own, and is
 *       durable before the term executes anything. So a copy that has confirmed anything acknowledged in a term cannot
 *       forget the term.
 *   <li>Leadership and replication of a partition live on one thread, the partition's. One acts at once by the findings
 *       of the other, and no reply leaves between the two.
 *   <li>A message of another node is checked as a whole before any of it acts.
 *   <li>A position counts the records of the partition's stream: it is the sequence of the record before it. All copies
 *       have the same records with the same bytes at the same positions.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.replication;

import org.jspecify.annotations.NullMarked;
