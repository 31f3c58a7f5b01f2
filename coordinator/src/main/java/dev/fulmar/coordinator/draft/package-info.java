/**
 * The changes of a transaction that changes tables, as long as it is open. Invariants:
 *
 * <ul>
 *   <li>Nothing of a draft is in a catalog or a storage before COMMIT.
 *   <li>A statement about rows runs on the catalog of before only. It runs as it is if it has the same plan there; else
 *       a query runs that yields what the statement yields.
 *   <li>COMMIT makes all changes in an order that leaves what the statements leave in theirs. A statement that fits no
 *       such order is refused where it is sent.
 *   <li>A change of rows that is final before the commit changes no row that others see. Nor do a foreign key's actions
 *       and materialized views.
 *   <li>COMMIT runs each statement about rows. Partitions compare its results again under the locks of the change. So
 *       the client was shown what is true when the change is made.
 * </ul>
 */
@NullMarked
package dev.fulmar.coordinator.draft;

import org.jspecify.annotations.NullMarked;
