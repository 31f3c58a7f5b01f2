/**
 * Durability of a database: every commit that it acknowledges survives a crash. Commits go to the operation log of
 * {@code pmem-log}, replies wait for it, and a start recovers from it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Nothing leaves a partition before the log holds, durably, everything that it depends on ({@link
 *       dev.fulmar.coordinator.durability.DurableGate}); the partition itself never waits.
 *   <li>A participant of a multi-partition transaction votes once its PREPARE record, with its row images, is durable.
 *       So wherever one DECISION record to commit is found, every participant's part is in the log. Where a
 *       participant's stream goes on after a PREPARE without a DECISION, the attempt was undone. A transaction that has
 *       seen a committed part comes after the DECISION in the same stream.
 *   <li>A change of the catalog is durable before a partition runs with it. Records name the catalog version under
 *       which they were made. On a node with copies both hold for its own log. A primary here, or a copy of rows, uses
 *       a version of the catalog only once this node's log has it on the device. That the catalog's primary and its
 *       copies in sync have the version is not enough.
 *   <li>Recovery gives exactly a prefix of every partition's commits, which contains all that was acknowledged, with
 *       multi-partition transactions whole or absent. A recovery writes the DECISION of each part that was in doubt
 *       before any other record.
 *   <li>A primary may promise a reader that all later commits are above a timestamp. Every later primary keeps that
 *       promise, in any term and after any restart. Before the promise leaves, all copies in sync have a record whose
 *       timestamp is not below it. A checkpoint or an image whose clock is not below it serves as well.
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
