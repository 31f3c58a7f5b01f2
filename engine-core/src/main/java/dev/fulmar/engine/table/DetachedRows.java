package dev.fulmar.engine.table;

import dev.fulmar.engine.index.RowIndex;

/**
 * The rows of one table in a bucket that is in no partition, or on its way.
 *
 * @param roots their entries, by the place of the index among the table's indexes
 */
@SuppressWarnings("ArrayRecordComponent") // handed from one table to another, never compared
record DetachedRows(Bucket rows, RowIndex[] roots) {}
