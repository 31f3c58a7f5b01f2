/**
 * Advisory locks, which mean what their users agree on. Invariants:
 *
 * <ul>
 *   <li>A session has a lock if and only if the lock's table has a row of it. No two rows of one lock conflict.
 *   <li>Once a session has been given a lock, no change of an earlier holder takes effect. A holder's transaction
 *       commits only if its own row is there, and the row's partition checks that.
 *   <li>The row of a session that is over is removed. The session's node does so, or, when that one is lost, the node
 *       of a session that wants the lock.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.advisory;

import org.jspecify.annotations.NullMarked;
