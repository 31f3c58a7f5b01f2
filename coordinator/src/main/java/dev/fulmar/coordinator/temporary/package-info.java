/**
 * The schemas of sessions' temporary tables. Invariants:
 *
 * <ul>
 *   <li>No two sessions ever have the same schema, so none meets what another one has left behind.
 *   <li>One node drops what a session has left behind: the node of that session. While that one is lost, the node that
 *       makes the changes of the catalog drops it.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.temporary;

import org.jspecify.annotations.NullMarked;
