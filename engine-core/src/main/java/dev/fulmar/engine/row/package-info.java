/**
 * Rows in native memory. Invariant: a row's slot never moves while the row lives, so its address names it; the slot
 * starts with the commit timestamp and the version link.
 *
 * <p>A slot: {@code long commitTimestamp, long versionLink, long[] state} (low 8 bits of the first word: flags, see
 * {@link dev.fulmar.engine.row.RowLayout}; then one null bit per column, bit {@code 8 + column} counted through the
 * words), then if there are columns of variable length {@code long block, int blockBytes}, then the cells by falling
 * width. The cell of a CHAR, VARCHAR or VARBINARY is {@code int offset, int length} in bytes into the row's one
 * variable block.
 */
@NullMarked
package dev.fulmar.engine.row;

import org.jspecify.annotations.NullMarked;
