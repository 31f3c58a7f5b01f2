/**
 * Leadership of partitions: which copy is the primary, and which copies must confirm what it acknowledges. A state
 * machine, without time, threads or messages of its own, has one process's view of one partition. Entry:
 * {@link dev.fulmar.coordinator.membership.leadership.Leadership}.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A primary acknowledges a group only after every copy that the stored record may name as in sync has confirmed
 *       it under the epoch. These are the copies of the record it knows, and those of each change that it made and
 *       whose outcome is uncertain. So whatever the record is in truth, each copy that could be promoted holds all that
 *       was acknowledged.
 *   <li>A copy is asked for its confirmations before the change that would let it be promoted is sent.
 *   <li>Only a copy in sync proposes itself, with the next epoch, and the compare-and-set decides. A process leads only
 *       in a term whose record names that very process.
 *   <li>A primary that suspects a copy whose confirmation it needs acknowledges nothing until the record is changed or
 *       the copy is trusted again.
 *   <li>While the outcome of a change is unknown nothing is acknowledged, and no other change is made. The same one is
 *       made again until it is applied or another record is there. To have read the old record settles nothing.
 *   <li>A copy that is damaged or cannot follow does not join again as long as its process lives. A younger process of
 *       the node may bring it back under the same life, with what its log leads to. It joins like any other once the
 *       record names it no more.
 *   <li>Without the store no copy is promoted and none is taken out; so a minority that lost a copy it needs stops.
 *   <li>With fewer copies in sync than the cluster's minimum, writes are refused and what was written before is not
 *       acknowledged.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.membership.leadership;

import org.jspecify.annotations.NullMarked;
