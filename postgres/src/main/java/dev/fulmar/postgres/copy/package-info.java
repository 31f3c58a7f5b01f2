/**
 * COPY: the data that clients send and get, and the statements that store rows. Invariants:
 *
 * <ul>
 *   <li>Readers and writers hold one row, whatever the size of the data and of their pieces.
 *   <li>Bad data fail with the SQLSTATE, line and column that PostgreSQL names.
 *   <li>All rows of a COPY count or none, unless its client has asked for batches. Then the rows up to one count, and
 *       an error names it.
 *   <li>Statements have few texts, so plans are found again.
 * </ul>
 *
 * <p>Start reading at {@link dev.fulmar.postgres.copy.CopyIn}.
 */
@NullMarked
package dev.fulmar.postgres.copy;

import org.jspecify.annotations.NullMarked;
