/**
 * Row images: the changes of a transaction to a partition's rows, as bytes, and their replay. Invariant: replaying the
 * images of a partition's committed transactions on an empty partition gives the same visible rows. They have the same
 * row numbers and commit timestamps, whatever layout rows have in memory. The replay keeps commit order, with the
 * catalog changes between the transactions.
 *
 * <p>Images tell the net effect of a transaction. A row whose index keys changed is told as a deletion and an
 * insertion. All deletions come first and all insertions last. So the order in which the rows are replayed can never
 * break a unique constraint that the result keeps.
 */
@NullMarked
package dev.fulmar.engine.durability;

import org.jspecify.annotations.NullMarked;
