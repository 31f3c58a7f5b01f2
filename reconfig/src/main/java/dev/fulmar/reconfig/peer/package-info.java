/**
 * Messages between the nodes of a reconfiguration. The primary of a source asks the primary of the destination to stage
 * rows. It asks the node that makes the changes of the catalog to hand them over. Invariants:
 *
 * <ul>
 *   <li>Each request has one answer: that of the other node, or an error if the session with it ends before.
 *   <li>No request changes the owner of a key by itself. Steps at a destination only stage rows, and a hand-off counts
 *       by the catalog alone. So an answer may be lost.
 *   <li>The form of messages has a version; another one is refused, and bytes that are no message too.
 * </ul>
 */
@NullMarked
package dev.fulmar.reconfig.peer;

import org.jspecify.annotations.NullMarked;
