/**
 * Changes of the catalog over the nodes of a cluster: the node that makes a change, and those that prepare for it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The catalog's primary decides a change only after the primary of every partition has prepared its partition.
 *   <li>A change that is not decided locks partitions for a bounded time only.
 *   <li>A change of the plan commits at a timestamp above all that partitions have promised when they prepared it. So
 *       snapshots below a promise are read with the plan of before, at each partition.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.ddl;

import org.jspecify.annotations.NullMarked;
