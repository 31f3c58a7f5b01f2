/**
 * The replicas of partitions on this node: as primary, as backup, or without a part in the cluster.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A primary serves once its term is stored, its log has what was in doubt, and it knows the catalog.
 *   <li>A copy that follows shows readers at a timestamp what its primary would show, now and for ever ({@link
 *       dev.fulmar.coordinator.transaction.SnapshotSource}).
 *   <li>A damaged replica serves no request and no reader; a new one replaces it.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.replica;

import org.jspecify.annotations.NullMarked;
