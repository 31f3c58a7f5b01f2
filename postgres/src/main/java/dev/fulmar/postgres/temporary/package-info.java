/**
 * The temporary tables of a session of PostgreSQL's protocol.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A table that a transaction makes at once is there for no other session. The session drops it before its next
 *       statement if the transaction is taken back, and never drops one that was there before.
 *   <li>A table that is made at once has no name that an earlier statement of its transaction has. That statement runs
 *       again, and means what it meant.
 * </ul>
 */
@NullMarked
package dev.fulmar.postgres.temporary;

import org.jspecify.annotations.NullMarked;
