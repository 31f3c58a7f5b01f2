/**
 * Commits as records of the operation log, and the replies that wait for them.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Nothing leaves a partition before the log holds, durably, everything that it depends on ({@link
 *       dev.fulmar.coordinator.durability.log.DurableGate}); the partition itself never waits.
 *   <li>A participant of a multi-partition transaction votes once its PREPARE record, with its row images, is durable.
 *       So wherever one DECISION record to commit is found, the log has the part of every participant. A transaction
 *       that has seen a committed part comes after the DECISION in the same stream.
 *   <li>A primary may promise a reader that all later commits are above a timestamp. Every later primary keeps that
 *       promise, in any term and after any restart. Before the promise leaves, all copies in sync have a record whose
 *       timestamp is not below it. A checkpoint or an image whose clock is not below it serves as well.
 *   <li>After a failed write nothing is acknowledged any more, and nothing is tried again.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.log;

import org.jspecify.annotations.NullMarked;
