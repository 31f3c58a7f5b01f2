/**
 * Rows in native memory. Invariant: a row's slot never moves while the row lives, so its address names it. The slot
 * starts with the commit timestamp and the version link.
 *
 * <p>A slot begins with {@code long commitTimestamp, long versionLink, long[] state}. The low 8 bits of the first word
 * of the state are flags, see {@link dev.fulmar.engine.row.RowLayout}. One null bit per column follows, bit
 * {@code 8 + column} counted through the words. If there are columns of variable length,
 * {@code long block, int blockBytes} comes next. The cells follow by falling width. The cell of a CHAR, VARCHAR,
 * VARBINARY, JSON, JSONB or ARRAY is {@code int offset, int length} in bytes into the row's one variable block.
 */
@NullMarked
package dev.fulmar.engine.row;

import org.jspecify.annotations.NullMarked;
