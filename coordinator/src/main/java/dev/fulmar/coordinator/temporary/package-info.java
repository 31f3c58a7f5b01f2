/**
 * The schemas of sessions' temporary tables. Invariants:
 *
 * <ul>
 *   <li>No two sessions ever have the same schema, so none meets what another one has left behind.
 *   <li>What is left behind is dropped by one node: that of its session, or, while that one is lost, the one that makes
 *       the changes of the catalog.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.temporary;

import org.jspecify.annotations.NullMarked;
