/**
 * Multi-partition transactions whose partitions are led by several nodes: orders and reports between a coordinator and
 * a partition become messages.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Messages are bytes that stand for themselves: fragments name their statements, nothing refers to an object. A
 *       message that comes in is checked before it acts; one that makes no sense ends the link, never the node.
 *   <li>Within a session of a link messages arrive in order. When a session ends both sides take outstanding messages
 *       for lost. The coordinator's node ends undecided attempts that have a participant there
 *       ({@link dev.fulmar.coordinator.remote.RemotePartitions}). The participant's node undoes parts that have not
 *       voted ({@link dev.fulmar.coordinator.remote.Participants}).
 *   <li>A decision to commit is durable in the stream of the transaction's base partition before any other partition
 *       hears of it. It is kept until every participant that has written something down has acknowledged it durably
 *       ({@link dev.fulmar.coordinator.remote.Decisions}).
 *   <li>A participant that has voted and hears nothing asks the base partition's primary, again and again
 *       ({@link dev.fulmar.coordinator.remote.InDoubtParticipants}). That one says "abort" only of an attempt that it
 *       neither coordinates any more nor has decided; while the attempt lives it says "wait". An attempt that a later
 *       one of its transaction has followed lives no more.
 *   <li>A text that another node's coordinator sends is planned before the order that brings it reaches the partition.
 *       Orders of one transaction for one partition reach it as they came; none waits for another transaction's text
 *       ({@link dev.fulmar.coordinator.remote.PlannedOrders}).
 *   <li>A fragment that ran while its partition was led in another epoch makes PREPARE a no.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.remote.RemoteTransactions}.
 */
@NullMarked
package dev.fulmar.coordinator.remote;

import org.jspecify.annotations.NullMarked;
