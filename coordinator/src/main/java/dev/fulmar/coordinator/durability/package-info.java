/**
 * What a database acknowledges survives a crash: commits go to the operation log of {@code pmem-log}, replies wait for
 * it, and a start reads it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Nothing leaves a partition before the log holds, durably, everything that it depends on ({@link
 *       dev.fulmar.coordinator.durability.DurableGate}); the partition itself never waits.
 *   <li>A participant of a multi-partition transaction votes once its PREPARE record, with its row images, is durable.
 *       So wherever one DECISION record to commit is found, every participant's part is in the log; and where a
 *       participant's stream goes on after a PREPARE without a DECISION, the attempt was undone. Whoever has seen a
 *       committed part comes after the DECISION in the same stream.
 *   <li>A change of the catalog is durable before a partition runs with it. Records name the catalog version under
 *       which they were made. On a node with copies both hold for its own log: what a primary and its copies in sync
 *       have is not used here, by a primary or by a copy of rows, before the log of this node has it on the device.
 *   <li>Recovery gives exactly a prefix of every partition's commits, which contains all that was acknowledged, with
 *       multi-partition transactions whole or absent. What was in doubt gets its DECISION written before anything else
 *       is.
 *   <li>A promise to a reader that all later commits are above a timestamp is kept by whoever leads the partition
 *       later, in any term and after any restart: before it leaves all copies in sync have a record whose timestamp is
 *       not below it, or a checkpoint or an image with a clock that is not.
 *   <li>A copy that follows shows readers at a timestamp what its primary would show, now and for ever ({@link
 *       dev.fulmar.coordinator.transaction.SnapshotSource}).
 *   <li>After a failed write nothing is acknowledged any more and nothing is tried again.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.durability.Durability}. docs/DURABILITY.md has the whole picture.
 */
@NullMarked
package dev.fulmar.coordinator.durability;

import org.jspecify.annotations.NullMarked;
