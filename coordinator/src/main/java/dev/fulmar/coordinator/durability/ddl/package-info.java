/**
 * Changes of the catalog over the nodes of a cluster: the node that makes a change, and those that prepare for it.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The catalog's primary decides a change only after the primary of every partition has prepared its partition.
 *   <li>A change that is not decided locks partitions for a bounded time only.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.ddl;

import org.jspecify.annotations.NullMarked;
