/**
 * The temporary tables of a session of PostgreSQL's protocol. Invariant: what a transaction makes at once is there for
 * no other session, and is dropped before the session's next statement if the transaction is taken back.
 */
@NullMarked
package dev.fulmar.postgres.temporary;

import org.jspecify.annotations.NullMarked;
