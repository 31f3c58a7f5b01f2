/**
 * Moves of buckets from partition to partition until the plan is the one that was asked for (Squall §3, §4).
 * Invariants:
 *
 * <ul>
 *   <li>A node moves one bucket at a time away from its partitions. Until its hand-off its rows are at the source
 *       alone, as far as anyone sees.
 *   <li>Calls on the source wait from the last chunk to the end of the hand-off, and then run where their keys are. So
 *       the destination has the outcomes of all requests on its new keys.
 *   <li>A move that fails before its hand-off is undone: the destination drops the staged bucket, and calls that waited
 *       run at the source. A hand-off counts with its plan.
 *   <li>While a budget for calls listens, the node sends no chunk. It never delays a move whose calls wait.
 *   <li>Copying takes a bounded share of a site's time, unless an operator has fixed size and pause of chunks.
 *   <li>A range is done once the catalog says so, whatever sources report.
 *   <li>No large bucket is the first that a node moves to a partition, unless each of its keys has many rows.
 *   <li>The primary of a destination drops staged buckets of moves that it hears of no more.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.reconfig.move.Reconfiguration}.
 */
@NullMarked
package dev.fulmar.reconfig.move;

import org.jspecify.annotations.NullMarked;
