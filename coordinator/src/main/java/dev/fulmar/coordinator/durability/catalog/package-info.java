/**
 * The stored history of the catalog: its changes, its image for other nodes, and its journal.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A change of the catalog is durable before a partition runs with it. Records name the catalog version under
 *       which they were made. On a node with copies both hold for its own log. A primary or a copy of rows uses a
 *       version of the catalog only once its node's log has it durably. That the catalog's primary
 *       and its copies in sync have the version is not enough.
 *   <li>Changes that a client was told of are the same in the history of every node.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.durability.catalog;

import org.jspecify.annotations.NullMarked;
