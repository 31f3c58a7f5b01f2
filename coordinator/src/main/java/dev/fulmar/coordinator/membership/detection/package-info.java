/**
 * Which other nodes answer. Invariants:
 *
 * <ul>
 *   <li>A node is trusted only while it proves, again and again, that it heard this node a short while ago: a link that
 *       works one way is broken for both ends.
 *   <li>Time counts only while this node runs. Its own pauses, and a machine that gives it no processor, make it
 *       suspect nobody.
 *   <li>Suspicion decides nothing. Who suspects stops acknowledging; what follows is decided by the change of a record
 *       in the cluster's state ({@link dev.fulmar.coordinator.membership.leadership}).
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.membership.detection;

import org.jspecify.annotations.NullMarked;
