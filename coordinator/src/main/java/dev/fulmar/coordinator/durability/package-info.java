/**
 * Durability of a database, assembled from its parts: every commit that it acknowledges survives a crash.
 *
 * <p>Invariant: each part uses only parts before it, in the order environment, log, checkpoint, catalog, recovery, and
 * then backup, replica, ddl. This package builds them and hands out the database's journal, command log and gates.
 *
 * <p>Start reading at {@link dev.fulmar.coordinator.durability.Durability}. docs/DURABILITY.md has the whole picture.
 */
@NullMarked
package dev.fulmar.coordinator.durability;

import org.jspecify.annotations.NullMarked;
