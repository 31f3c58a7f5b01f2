/**
 * Row images: what a transaction did to a partition's rows, as bytes, and those bytes done again. Invariant: replaying
 * the images of the committed transactions of a partition, in commit order and with the catalog changes between them,
 * on an empty partition gives the same visible rows with the same row numbers and commit timestamps, whatever layout
 * the rows have in memory.
 *
 * <p>Images tell the net effect of a transaction. A row whose index keys changed is told as a deletion and an
 * insertion, all deletions come first and all insertions last: so the order in which the rows are replayed can never
 * break a unique constraint that the result keeps.
 */
@NullMarked
package dev.fulmar.engine.durability;

import org.jspecify.annotations.NullMarked;
