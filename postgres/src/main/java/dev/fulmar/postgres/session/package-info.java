/**
 * Sessions of PostgreSQL's clients, without their network. Invariants:
 *
 * <ul>
 *   <li>Messages take effect in the order in which they come, one after another. Replies have the same order.
 *   <li>ReadyForQuery answers each Query and Sync, once. After an error in an extended query, all messages up to the
 *       next Sync are skipped.
 *   <li>The statements between two Syncs, and those of one Query, are one transaction unless they say otherwise.
 *   <li>In a transaction that has failed every statement fails with 25P02, until it is rolled back.
 *   <li>A statement is executed once. One that is cancelled or refused leaves no trace.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.postgres.session.PostgresSession}.
 */
@NullMarked
package dev.fulmar.postgres.session;

import org.jspecify.annotations.NullMarked;
