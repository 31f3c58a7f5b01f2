/**
 * The cluster's shared state: its nodes, and the processes that are alive. Of each partition it has the nodes that are
 * to have copies, the epoch, the primary and the copies in sync. It is a control plane and never on the path of a
 * transaction. Entry: {@link dev.fulmar.coordinator.membership.ClusterState}.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A record changes by compare-and-set only, and only as its own rules permit
 *       ({@link dev.fulmar.coordinator.membership.StateRecord#objectionTo}). A version names one value of a record for
 *       ever, since no record is deleted.
 *   <li>A change whose outcome is unknown may take effect at any later moment, until another change of the same record
 *       has been applied. Its maker counts on both until then. Reading the old value again proves nothing.
 *   <li>The result of a read is true of some moment; only a change that was applied decides anything.
 *   <li>Notifications say that something may have changed, never what. They may be joined, but after the last change of
 *       a record one comes.
 *   <li>The store's contents are checked like input of a stranger. A record that cannot be read is refused with what to
 *       do about it, and is never taken for an absent one.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.membership;

import org.jspecify.annotations.NullMarked;
