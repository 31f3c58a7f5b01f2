/**
 * Detection of nodes that do not answer. Invariants:
 *
 * <ul>
 *   <li>A node is trusted only while it proves, again and again, that it heard this node a short while ago. A link that
 *       works one way is broken for both ends.
 *   <li>Time counts only while this node runs. Its own pauses, and a machine that gives it no processor, make it
 *       suspect nobody.
 *   <li>Suspicion decides nothing. A primary that suspects stops acknowledging; the change of a record in the cluster's
 *       state decides what follows ({@link dev.fulmar.coordinator.membership.leadership}).
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.membership.detection;

import org.jspecify.annotations.NullMarked;
