/**
 * Settings of a PostgreSQL session: SET, SHOW, RESET. Invariants:
 *
 * <ul>
 *   <li>A setting that changes what a statement means, or how a value looks, is obeyed or refused.
 *   <li>A change in a transaction is taken back with it; one of SET LOCAL ends with it in any case.
 * </ul>
 */
@NullMarked
package dev.fulmar.postgres.setting;

import org.jspecify.annotations.NullMarked;
