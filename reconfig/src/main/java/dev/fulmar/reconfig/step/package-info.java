/**
 * Steps of a reconfiguration in the logs of partitions, and their replay. Invariants:
 *
 * <ul>
 *   <li>A step names all that its primary chose, such as the number of a bucket. So a replay leaves the same buckets.
 *   <li>A change of tables that comes to nothing drops staged buckets at the primary, without a step. Copies drop them
 *       with the step that gives their number to another bucket, or with that of their move's end.
 *   <li>The stored form has a version; a later one is refused, and bytes that are no step too.
 * </ul>
 */
@NullMarked
package dev.fulmar.reconfig.step;

import org.jspecify.annotations.NullMarked;
