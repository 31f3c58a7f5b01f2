/**
 * Checkpoints of partitions and of the catalog, with what the memory of requests and decisions holds.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The log gives up a record only when a checkpoint that is whole covers it.
 *   <li>A checkpoint goes to a position that the log has durably; its rows, outcomes and decisions are of the same
 *       position.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.checkpoint;

import org.jspecify.annotations.NullMarked;
